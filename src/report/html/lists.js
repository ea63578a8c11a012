// The tables: fragments, coverage, notes, prices.

function dimsOf(fragment) {
  return fragment ? Object.entries(fragment.loop_dims).filter(([, n]) => n !== 1).map(([name, n]) => name + n).join(' ') : '';
}

function exact(pj) {
  return el('span', { title: pj + ' pJ' }, energy(pj));
}

function hasShape(row) {
  return Boolean(row.fragment) && row.fragment.mapping !== undefined;
}

function fieldsOf(row) {
  if (!hasShape(row))
    return pairs(row.fragment || row.use);
  const { mapping, ...rest } = row.fragment;
  return [pair('mapping', shapeLink(row.fragment, shapeName(shapes[mapping]))), ...pairs(rest)];
}

function fragmentsSection() {
  const node = section('fragments', 'Fragments', 'Every piece of work, and of DRAM traffic; the rows add up to the total.');
  if (!rows.length) {
    node.append(el('p', { class: 'card' }, 'The run kept no fragments (--no-mapping).'));
    return;
  }
  const part = name => ({ title: PART_NAMES[name].toLowerCase(), number: true, value: row => row.parts[name] || 0, cell: row => exact(row.parts[name] || 0) });
  const columns = [
    { title: 'node', kind: 'long', value: row => row.node },
    { title: 'operation', value: row => row.op },
    { title: 'stage', value: row => row.stage },
    { title: 'core', value: row => row.fragment ? row.fragment.core_type : 'dram' },
    { title: 'loop dims', kind: 'long dims', value: row => dimsOf(row.fragment) },
    shapes.length ? { title: 'shape', number: true, value: row => hasShape(row) ? row.fragment.mapping + 1 : '',
      cell: row => hasShape(row) ? shapeLink(row.fragment, String(row.fragment.mapping + 1)) : '' } : null,
    { title: 'MACs', number: true, value: row => +row.macs, cell: row => count(row.macs) },
    ...parts.map(part),
    { title: 'energy', number: true, value: row => row.energy, cell: row => exact(row.energy) },
    { title: 'share', number: true, value: row => row.energy, cell: row => share(row.energy, total) },
  ].filter(Boolean);
  node.append(dataTable('fragment-table', columns, rows, {
    search: 'Search', unit: 'row',
    details: row => el('dl', { class: 'pairs' }, ...fieldsOf(row)),
    tally: list => energy(list.reduce((a, row) => a + row.energy, 0)),
  }));
}

function coverageSection() {
  const node = section('coverage', 'Coverage and notes', 'What the estimate speaks for, and what it leaves out.');
  const names = { costed: 'costed', free: 'free by rule', not_modelled: 'not modelled' };
  const list = report.coverage.by_op.map(row => el('tr', {}, el('th', { scope: 'row' }, row.op), el('td', { class: row.kind === 'not_modelled' ? 'warn' : '' }, names[row.kind]),
    el('td', { class: 'n' }, count(row.nodes)), el('td', { class: 'n' }, 'elements' in row ? count(row.elements) : '')));
  const notes = report.accounting_notes.map(note => el('li', {}, 'Rule ' + note.rule + ': ' + note.text + '; ' + plural(note.fragments, 'fragment') + ', ' +
    energy(note.runtime_pj) + ' by the runtime profiler, ' + energy(note.corrected_pj) + ' corrected.'));
  node.append(el('div', { class: 'grid two' },
    el('div', { class: 'card long' }, el('table', {}, el('caption', {}, 'Operators'), el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'operator'), el('th', { scope: 'col' }, ''),
      el('th', { scope: 'col', class: 'n' }, 'nodes'), el('th', { scope: 'col', class: 'n' }, 'elements of outputs'))), el('tbody', {}, ...list))),
    el('div', { class: 'card' }, el('h3', {}, 'Notes'), notes.length || report.warnings.length
      ? el('ul', { class: 'notes' }, ...report.warnings.map(text => el('li', {}, text)), ...notes) : el('p', { class: 'quiet' }, 'None.'))));
}

function pricesSection() {
  const preset = report.preset, node = section('prices', 'Prices', preset.description + '. Content ' + preset.hash + '. Each value with where it stands and where it comes from.');
  const columns = [
    { title: 'value', value: row => row.path.replace(/^memory_instances\./, '') },
    { title: '', number: true, value: row => isFinite(+row.value) ? +row.value : row.value, cell: row => row.value },
    { title: 'unit', value: row => row.unit },
    { title: 'source', kind: 'flow', value: row => row.source || (row.origin === '--set' ? 'set on the command line' : '') },
    { title: 'stands in', value: row => row.origin },
  ];
  const isPrice = row => row.unit.startsWith('pJ');
  const tables = [preset.provenance.filter(isPrice), preset.provenance.filter(row => !isPrice(row))];
  node.append(dataTable('price-table', columns, tables[0], { search: 'Search', unit: 'price' }),
    el('details', {}, el('summary', {}, 'Everything else the preset says: ' + plural(tables[1].length, 'value')),
      dataTable('value-table', columns, tables[1], { search: 'Search', unit: 'value' })));
}
