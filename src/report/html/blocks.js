// The network as few enough blocks to look at: what follows a product without a branch joins it;
// of large networks, modules become one block each.

const MOST_BLOCKS = 160;

function energyOf(label) {
  const layer = layerOf.get(label);
  return layer ? layer.energy : 0;
}

// The nodes without those at either end that take no energy: initial states, views of the output.
function withoutEnds(nodes) {
  const feeds = nodes.map(() => []), ins = nodes.map(node => node.inputs.length), outs = nodes.map(() => 0);
  nodes.forEach((node, i) => node.inputs.forEach(from => { feeds[from].push(i); outs[from]++; }));
  const kept = nodes.map(() => true), idle = i => kept[i] && energyOf(nodes[i].label) === 0 && (!ins[i] || !outs[i]);
  const ready = nodes.map((_, i) => i).filter(idle);
  for (let k = 0; k < ready.length; k++) {
    const i = ready[k];
    if (!idle(i))
      continue;
    kept[i] = false;
    feeds[i].forEach(to => ins[to]-- && ready.push(to));
    nodes[i].inputs.forEach(from => outs[from]-- && ready.push(from));
  }
  if (!kept.includes(true))
    return nodes;
  const place = [];
  let count = 0;
  kept.forEach((keep, i) => { place[i] = keep ? count++ : -1; });
  return nodes.filter((_, i) => kept[i]).map(node => ({ ...node, inputs: node.inputs.map(from => place[from]).filter(from => from >= 0) }));
}
const drawn = withoutEnds(network.nodes);

// A block holds indices of drawn nodes. Batch norm, activation and neuron go with what feeds them alone.
function chains() {
  const nodes = drawn, feeds = nodes.map(() => 0);
  nodes.forEach(node => node.inputs.forEach(from => feeds[from]++));
  const blocks = [], blockOf = [], tail = [];
  nodes.forEach((node, i) => {
    const from = node.inputs.length === 1 ? node.inputs[0] : -1, layer = layerOf.get(node.label);
    const joins = from >= 0 && from < i && feeds[from] === 1 && !(layer && layer.macs) && tail[blockOf[from]] === from;
    blockOf[i] = joins ? blockOf[from] : blocks.push([]) - 1;
    blocks[blockOf[i]].push(i);
    tail[blockOf[i]] = i;
  });
  return blocks;
}

function grouped(keyOf) {
  const groups = new Map();
  drawn.forEach((node, i) => {
    const key = keyOf(node, i);
    if (!groups.has(key))
      groups.set(key, []);
    groups.get(key).push(i);
  });
  return groups;
}

// The deepest scopes that are few enough; of names without scopes, runs of neighbours.
function modules() {
  const scopes = drawn.map(node => node.label.split('/').filter(Boolean));
  const deepest = scopes.reduce((most, scope) => Math.max(most, scope.length), 0);
  for (let depth = deepest - 1; depth > 0; depth--) {
    const groups = grouped((node, i) => scopes[i].slice(0, depth).join('/'));
    if (groups.size <= MOST_BLOCKS && groups.size > 3)
      return [...groups].map(([name, list]) => ({ name, list }));
  }
  const each = Math.ceil(drawn.length / MOST_BLOCKS);
  return [...grouped((node, i) => Math.floor(i / each)).values()].map(list =>
    ({ name: moduleOf(drawn[list[0]].label, drawn[list[0]].op) + ' and ' + (list.length - 1) + ' more', list }));
}

function headOf(list) {
  return list.reduce((best, i) => energyOf(drawn[i].label) > energyOf(drawn[best].label) ? i : best, list[0]);
}

function makeBlocks() {
  const few = chains();
  const collapsed = few.length > MOST_BLOCKS;
  const blocks = (collapsed ? modules() : few.map(list => ({ list }))).map(({ name, list }) => {
    const head = drawn[headOf(list)], ops = [...new Set(list.map(i => drawn[i].op))];
    return { list, ops, name: name || moduleOf(head.label, head.op), energy: list.reduce((a, i) => a + energyOf(drawn[i].label), 0), inputs: new Set() };
  });
  const blockOf = [];
  blocks.forEach((block, b) => block.list.forEach(i => { blockOf[i] = b; }));
  drawn.forEach((node, i) => node.inputs.forEach(from => {
    if (blockOf[from] !== blockOf[i])
      blocks[blockOf[i]].inputs.add(blockOf[from]);
  }));
  return { blocks, collapsed };
}
