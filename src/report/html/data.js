// The report and the network, and what the drawings ask of them.

// Integers that a double does not hold become texts of their digits.
function parse(text) {
  if (/[^.\d]\d{16,}/.test(text))
    text = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, token =>
      /^\d{16,}$/.test(token) && !Number.isSafeInteger(+token) ? '"' + token + '"' : token);
  return JSON.parse(text);
}

const report = parse(document.getElementById('report').textContent);
const network = parse(document.getElementById('network').textContent);
const total = report.energy_total_pj;
const fragments = report.mapping_summary;
const traffic = report.dram ? report.dram.by_node : [];

// What energy is spent on, from the datapath outwards; the names of CSS colours.
const PARTS = ['compute', 'reg', 'sram', 'noc', 'dram'];
const PART_NAMES = { compute: 'Compute', reg: 'Registers', sram: 'SRAM', noc: 'NoC', dram: 'DRAM' };
const PHASES = ['forward', 'backward', 'optimizer'];
const PHASE_NAMES = { forward: 'Forward', backward: 'Backward', optimizer: 'Optimizer' };

function sum(object) {
  return Object.values(object || {}).reduce((a, b) => a + b, 0);
}

// {part: pJ} of a fragment or of the whole report.
function partsOf(one) {
  const parts = { compute: one.energy_compute_pj };
  for (const level of PARTS.slice(1))
    parts[level] = sum(one.energy_by_memory_level_dir[level]);
  return parts;
}

// Fragments and DRAM traffic as rows of one kind; they add up to the total.
const rows = fragments.map((fragment, index) => ({
  index, fragment, stage: fragment.stage, phase: fragment.phase, op: fragment.op_name,
  node: fragment.node || '(functional)', macs: fragment.mac_count, energy: fragment.energy_total_pj,
  parts: partsOf(fragment),
})).concat(traffic.map((use, index) => ({
  index: fragments.length + index, use, stage: use.stage, phase: use.phase, op: 'dram', node: use.node,
  macs: 0, energy: use.energy_pj, parts: { dram: use.energy_pj },
})));

const phases = PHASES.filter(phase => rows.some(row => row.phase === phase));
const parts = PARTS.filter(part => partsOf(report)[part] > 0 || part === 'compute');

// Nodes in the order of the network: energy as the report has it, by part and by phase.
function layerList() {
  const place = new Map(network.nodes.map((node, index) => [node.label, index]));
  const layers = new Map();
  for (const [node, pj] of Object.entries(report.energy_by_node))
    layers.set(node, { node, energy: pj, parts: {}, phases: {}, macs: 0, ops: new Set(),
                       place: place.has(node) ? place.get(node) : Infinity });
  for (const row of rows) {
    const layer = layers.get(row.node);
    for (const [part, pj] of Object.entries(row.parts))
      layer.parts[part] = (layer.parts[part] || 0) + pj;
    layer.phases[row.phase] = (layer.phases[row.phase] || 0) + row.energy;
    layer.macs += +row.macs;
    layer.ops.add(row.op);
  }
  return [...layers.values()].sort((a, b) => a.place === b.place ? 0 : a.place - b.place);
}
const layers = layerList();
const layerOf = new Map(layers.map(layer => [layer.node, layer]));

// "/layer1/layer1.0/conv1/Conv" of a Conv is layer1.0.conv1: scopes that repeat and the operator
// at the end say nothing.
function moduleOf(label, op) {
  const path = label.split('/').filter(Boolean);
  const last = path[path.length - 1] || '';
  if (path.length > 1 && op && (last === op || last.startsWith(op + '_')))
    path.pop();
  return path.filter((name, i) => !(i + 1 < path.length && path[i + 1].startsWith(name + '.'))).join('.') || label;
}
