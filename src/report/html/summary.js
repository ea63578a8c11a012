// What it comes to, and where it goes at first sight.

function strip(title, pieces) {
  const whole = pieces.reduce((a, piece) => a + piece.pj, 0);
  return el('div', { class: 'split' }, el('h3', {}, title),
    el('div', { class: 'strip', 'aria-hidden': 'true' }, ...pieces.filter(piece => piece.pj > 0).map(piece =>
      el('i', { style: { ...color(piece.color), flex: (piece.pj / whole) + ' 0 0px' } }))),
    el('ul', { class: 'legend' }, ...pieces.map(piece => el('li', {}, swatch(piece.color), piece.name, ' ',
      el('b', { title: piece.pj + ' pJ' }, piece.path ? shown(piece.path, energy) : energy(piece.pj)), ' ',
      el('span', { class: 'share' }, share(piece.pj, total))))));
}

function fact(name, value, className) {
  return el('span', { class: className }, name + ' ', el('b', {}, value));
}

function hero() {
  const preset = report.preset, coverage = report.coverage;
  const node = el('div', { class: 'hero', id: 'total' }, el('h1', {}, report.model),
    el('p', { class: 'total' }, shown(['energy_total_pj'], energy)),
    el('p', { class: 'exact' }, count(total) + ' pJ'),
    el('div', { class: 'facts' },
      fact('on', preset.name),
      preset.technology_nm ? fact('technology', preset.technology_nm + ' nm') : null,
      fact('accounting', report.accounting),
      report.access_model ? fact('accesses', report.access_model) : null,
      el('span', {}, 'MACs ', el('b', {}, shown(['primitive_counts', 'totals', 'mac'], count))),
      fact('content', preset.hash)),
    el('div', { class: 'facts' },
      el('span', {}, el('b', {}, shown(['coverage', 'costed'], count)), ' of ', shown(['coverage', 'operators'], count), ' operators costed'),
      el('span', {}, el('b', {}, shown(['coverage', 'free'], count)), ' free by rule'),
      el('span', { class: coverage.not_modelled ? 'warn' : '' }, el('b', {}, shown(['coverage', 'not_modelled'], count)), ' not modelled'),
      preset.not_modelled.length ? fact('left out by the preset:', preset.not_modelled.join(', ')) : null));
  const of = partsOf(report);
  node.append(strip('By resource', parts.map(part => ({ name: PART_NAMES[part], color: part, pj: of[part],
    path: part === 'compute' ? ['energy_compute_pj'] : null }))));
  const stages = Object.entries(report.energy_by_stage);
  if (stages.length > 1 && stages.every(([stage]) => PHASES.includes(stage)))
    node.append(strip('By stage', stages.map(([stage, pj]) => ({ name: PHASE_NAMES[stage], color: stage, pj, path: ['energy_by_stage', stage] }))));
  document.getElementById('main').append(node);
}

const MOST_SHARES = 12;

function shareTable(title, key, colors) {
  const entries = Object.entries(report[key]);
  const most = Math.max(...entries.map(([, pj]) => pj));
  const body = entries.sort((a, b) => b[1] - a[1]).slice(0, MOST_SHARES).map(([name, pj]) => el('tr', {},
    el('th', { scope: 'row', title: name }, shorten(name, 34)),
    el('td', { class: 'bar' }, el('i', { style: { ...color(colors[name] || 'all'), width: (most > 0 ? 100 * pj / most : 0) + '%' } })),
    el('td', { class: 'n' }, shown([key, name], energy)),
    el('td', { class: 'n quiet' }, share(pj, total))));
  const rest = entries.length > MOST_SHARES ? ' (' + MOST_SHARES + ' of ' + count(entries.length) + ')' : '';
  return el('div', { class: 'card' }, el('table', {}, el('caption', {}, title + rest), el('tbody', {}, ...body)));
}

function summary() {
  hero();
  const node = section('shares', 'Shares');
  const phaseColors = Object.fromEntries(PHASES.map(phase => [phase, phase]));
  node.append(el('div', { class: 'grid two' },
    el('div', {}, shareTable('By operation', 'energy_by_op', { dram: 'dram' }),
      Object.keys(report.energy_by_stage).length > 1 ? shareTable('By stage', 'energy_by_stage', phaseColors) : null),
    el('div', {}, shareTable('Costliest nodes', 'energy_by_node', {}),
      shareTable('By core type', 'energy_by_core_type', { dram: 'dram' }))));
}
