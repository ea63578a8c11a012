// What was counted: bits by level and direction, primitives, DRAM by cause.

const DIRECTIONS = { rh2l: 'read', wl2h: 'written', rl2h: 'read outwards', wh2l: 'written from outside' };

function plainTable(title, head, body) {
  return el('div', { class: 'card' }, el('table', {}, el('caption', {}, title),
    el('thead', {}, el('tr', {}, ...head.map((name, i) => el('th', { scope: 'col', class: i ? 'n' : '' }, name)))), el('tbody', {}, ...body)));
}

function line(name, hue, ...cells) {
  return el('tr', {}, el('th', { scope: 'row' }, hue ? swatch(hue) : null, hue ? ' ' : null, name),
    ...cells.map(cell => el('td', { class: 'n' }, cell)));
}

function levelTable() {
  const body = [];
  for (const level of PARTS.slice(1).reverse())
    for (const direction of Object.keys(report.energy_by_memory_level_dir[level] || {})) {
      const path = [level, direction], pj = report.energy_by_memory_level_dir[level][direction];
      body.push(line(PART_NAMES[level] + ', ' + (DIRECTIONS[direction] || direction) + ' (' + direction + ')', level,
        shown(['memory_bits_by_level', 'by_level_dir', ...path], count), shown(['energy_by_memory_level_dir', ...path], energy), share(pj, total)));
    }
  body.push(line('All memory', null, '', shown(['energy_memory_pj'], energy), share(report.energy_memory_pj, total)));
  return plainTable('Memory by level and direction', ['level', 'bits', 'energy', 'share'], body);
}

function partTable() {
  const names = { energy_mac_pj: 'Multiply-accumulates', energy_extra_compute_pj: 'Arithmetic beside them', energy_base_memory_pj: 'Operands of MACs',
    energy_extra_memory_pj: 'State of neurons, batch norm, optimizer', energy_dram_pj: 'DRAM' };
  return plainTable('Compute and memory', ['', 'energy', 'share'],
    Object.entries(names).map(([key, name]) => line(name, null, shown([key], energy), share(report[key], total))));
}

function primitiveTable() {
  const counts = report.primitive_counts, stages = Object.keys(counts.by_stage);
  const prices = new Map(report.preset.provenance.map(row => [row.path, row.value]));
  const body = Object.keys(counts.totals).filter(name => name !== 'mac').map(name => line(name, null,
    ...(stages.length > 1 ? stages.map(stage => shown(['primitive_counts', 'by_stage', stage, name], count)) : []),
    shown(['primitive_counts', 'totals', name], count), prices.get('primitives_pj.' + name) || '', ));
  return plainTable('Primitives beside MACs', ['primitive', ...(stages.length > 1 ? stages : []), 'count', 'pJ each'], body);
}

function causeTable() {
  const dram = report.dram;
  return plainTable('DRAM by cause, ' + count(dram.on_chip_bits) + ' bits on chip', ['cause', 'uses', 'bits read', 'bits written'],
    Object.keys(dram.by_cause).map(cause => line(cause, null, ...['uses', 'read_bits', 'written_bits'].map(key => shown(['dram', 'by_cause', cause, key], count)))));
}

function countsSection() {
  const node = section('counts', 'Counts', 'What was counted, and what it comes to at the preset’s prices.');
  node.append(el('div', { class: 'grid two' }, levelTable(), partTable(), primitiveTable(), report.dram ? causeTable() : null));
}
