// Mapped estimates: what the search came to (report.mapping), and the loop nest of each distinct
// shape (report.mappings), as `neuromc map` prints it.

const OPERANDS = ['weights', 'inputs', 'outputs'];
const REACHES = { all: 'best of all mappings', orders: 'best of all tilings, unrollings and orders that differ in reuse',
                  limit: 'best of what the limit of steps allows', stopped: 'best when it was stopped' };

function pair(name, value) {
  return el('div', {}, el('dt', {}, name), el('dd', {}, value));
}

// Every plain field of an object, those inside objects under their path.
function pairs(object, prefix) {
  return Object.entries(object).flatMap(([key, value]) => {
    const name = (prefix || '') + key.replace(/_/g, ' ');
    if (value && typeof value === 'object')
      return Array.isArray(value) ? [] : pairs(value, name + ' › ');
    return [pair(name, typeof value === 'number' && Number.isInteger(value) ? count(value) : String(value))];
  });
}

// The mappings with the fragments that run them; energies are those of all runs.
const shapes = (report.mappings || []).map((one, index) => {
  const users = fragments.filter(fragment => fragment.mapping === index);
  const weigh = of => users.reduce((all, fragment) => all + of(fragment) * +fragment.mapping_runs, 0);
  const runs = weigh(() => 1), nest = one.mapping;
  const macs = nest ? nest.energy_mac_pj * weigh(fragment => fragment.spike_rate) : 0;
  return { index, one, nest, users, runs, macs, energy: nest ? macs + (nest.energy_pj - nest.energy_mac_pj) * runs : 0 };
});

function problemText(problem) {
  const sizes = ['N', 'K', 'C', 'P', 'Q', 'R', 'S'].filter(dim => problem[dim] !== 1).map(dim => dim + ' ' + problem[dim]);
  const slides = ['stride', 'dilation'].filter(key => problem[key].some(n => n !== 1)).map(key => ', ' + key + ' ' + problem[key].join(' x '));
  return (sizes.join(', ') || 'one MAC') + slides.join('') + (problem.role === 'forward' ? '' : ', as ' + problem.role);
}

// Levels outermost first, each with the operands it keeps, its loops inside those of the level before.
function nestView(levels) {
  const view = el('pre', { class: 'nest', tabindex: 0, 'aria-label': 'Loop nest' });
  let depth = 0;
  const line = (text, kind) => view.append(el('span', { class: kind }, '| ' + '  '.repeat(depth) + text), '\n');
  for (const level of levels) {
    view.append(el('b', {}, level.name), ' [' + OPERANDS.filter(operand => level.operands[operand]).join(', ') + ']\n');
    for (const [dim, n] of level.temporal) {
      line('for ' + dim + ' in 0..' + n, 'loop');
      depth++;
    }
    for (const axis of ['x', 'y'])
      for (const [dim, n] of level['spatial_' + axis])
        line('every ' + dim + ' in 0..' + n + ' at once, along ' + axis, 'spatial');
    depth += level.spatial_x.length + level.spatial_y.length > 0;
  }
  line('multiply, accumulate', 'loop');
  return view;
}

function energyRow(name, pj, whole) {
  const all = OPERANDS.reduce((sum, operand) => sum + (pj[operand] || 0), 0);
  return el('tr', {}, el('th', { scope: 'row' }, name),
    ...OPERANDS.map(operand => el('td', { class: 'n' }, operand in pj ? exact(pj[operand]) : '')),
    el('td', { class: 'n' }, exact(all)), el('td', { class: 'n quiet' }, share(all, whole)));
}

function nestEnergies(shape) {
  const scaled = of => Object.fromEntries(Object.entries(of).map(([operand, one]) => [operand, one.energy_pj * shape.runs]));
  const body = shape.nest.levels.flatMap(level => [energyRow(level.name, scaled(level.operands), shape.energy),
    level.network ? energyRow('inside ' + level.name, scaled(level.network), shape.energy) : null]);
  body.push(el('tr', {}, el('th', { scope: 'row' }, 'MACs'), ...OPERANDS.map(() => el('td', {})),
    el('td', { class: 'n' }, exact(shape.macs)), el('td', { class: 'n quiet' }, share(shape.macs, shape.energy))));
  const heads = ['energy', ...OPERANDS, 'all', 'share'].map((text, i) => el('th', { scope: 'col', class: i ? 'n' : '' }, text));
  return el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...body.filter(Boolean)));
}

function cyclesOf(shape) {
  const each = shape.nest.cycles, all = +each * shape.runs;
  return count(all) + ' cycles, ' + share(+shape.nest.mac_count, +each * report.mapping.mac_units) + ' of the MACs used';
}

function shapeBody(shape) {
  const text = problemText(shape.one.problem) + (shape.runs > 1 ? '; ' + count(shape.runs) + ' times' : '');
  if (!shape.nest)
    return [el('p', {}, text), el('p', { class: 'warn' }, 'No mapping: ' + shape.one.reason + '. What its operands move is not counted.')];
  const nodes = shape.users.map(fragment => (fragment.node || '(functional)') + ', ' + fragment.op_name);
  return [el('p', {}, text),
    el('p', { class: 'quiet' }, REACHES[shape.one.reach] ? REACHES[shape.one.reach] + '; ' + plural(shape.one.steps, 'step') : 'mapping given'),
    el('div', { class: 'grid nests' }, nestView(shape.nest.levels), nestEnergies(shape)),
    nodes.length > 1 ? el('p', { class: 'quiet users' }, nodes.join('; ')) : null].filter(Boolean);
}

function shapeName(shape) {
  return 'Shape ' + count(shape.index + 1);
}

function shapeCard(shape, open) {
  const first = shape.users[0];
  const more = shape.users.length > 1 ? ' and ' + count(shape.users.length - 1) + ' more' : '';
  return el('details', { class: 'card shape', id: 'shape-' + (shape.index + 1), open },
    el('summary', {}, el('b', {}, shapeName(shape)), ' ' + first.op_name + ' of ' + (first.node || '(functional)') + more + ' ',
      el('span', { class: shape.nest ? 'quiet' : 'warn' }, shape.nest ? energy(shape.energy) + ', ' + cyclesOf(shape) : 'no mapping')),
    ...shapeBody(shape));
}

// Leads from a fragment to its loop nest, which opens.
function shapeLink(fragment, text) {
  const id = 'shape-' + (fragment.mapping + 1);
  return el('a', { href: '#' + id, 'aria-label': shapeName(shapes[fragment.mapping]), on: { click: () => { document.getElementById(id).open = true; } } }, text);
}

function mappingSection() {
  if (!report.mapping)
    return;
  const node = section('mapping', 'Mappings', 'How the loops of each layer are laid out on the machine of the preset: levels outermost first, with the operands that each keeps. Layers of one shape share a mapping.');
  const used = shapes.filter(shape => shape.users.length);
  const costliest = used.reduce((most, shape) => most && most.energy >= shape.energy ? most : shape, null);
  const cards = used.map(shape => shapeCard(shape, shape === costliest));
  const { utilization, ...rest } = report.mapping;
  node.append(el('dl', { class: 'card pairs' }, ...pairs(rest), pair('MACs used', el('span', { title: utilization }, share(utilization, 1)))), ...cards);
  forPrint(() => cards.forEach(card => set(card, { 'data-was': String(card.open) }).open = true),
    () => cards.forEach(card => { card.open = card.dataset.was === 'true'; }));
}
