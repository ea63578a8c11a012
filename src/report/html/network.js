// The network as a drawing: a box for each block, warmer the more energy it takes.

// From box to box: down, through the gaps of the ranks it passes, and over to the next column.
function edgePath(path, plan) {
  let d = '';
  path.forEach((item, i) => {
    if (i === 0) {
      d = `M${item.x} ${item.y + BOX.height}`;
      return;
    }
    const before = path[i - 1], from = before.y + BOX.height, to = item.y - (i === path.length - 1 ? 6 : 0);
    if (before.column === item.column) {
      const bend = (to - from) / 2;
      d += `C${before.x} ${from + bend} ${item.x} ${to - bend} ${item.x} ${to}`;
    } else {
      const lane = 3 * plan.laneOf(item.column, path[0]), gutter = item.column * (plan.columnWidth + BOX.gutter) - BOX.gutter / 2 - lane;
      d += `V${from + 6 + lane}H${gutter}V${item.y - 13 - lane}H${item.x}V${to}`;
    }
    if (i < path.length - 1)
      d += `V${item.y + BOX.height}`;
  });
  return d;
}

function drawEdges(chart, plan) {
  for (const path of plan.paths) {
    const end = path[path.length - 1];
    chart.append(svg('path', { class: 'edge', d: edgePath(path, plan) }),
      svg('path', { class: 'head', d: `M${end.x - 3.5} ${end.y - 7}h7l-3.5 6z` }));
  }
}

function drawBlock(chart, item, most) {
  const block = item.block, x = item.x - BOX.width / 2;
  const rect = svg('rect', { x, y: item.y, width: BOX.width, height: BOX.height, rx: 6, style: { '--h': Math.round(100 * Math.sqrt(block.energy / most)) } });
  const ops = block.ops[0] + (block.ops.length > 1 ? ' +' + (block.ops.length - 1) : '');
  chart.append(rect, svg('text', { class: 'strong', x: x + 8, y: item.y + 16 }, shorten(block.name, 19)),
    svg('text', { x: x + 8, y: item.y + 31 }, ops.length > 13 ? ops.slice(0, 12) + '…' : ops),
    svg('text', { x: x + BOX.width - 8, y: item.y + 31, 'text-anchor': 'end' }, block.energy ? energy(block.energy) : ''));
  return rect;
}

function sayBlock(block) {
  const inside = block.list.map(i => drawn[i]).map(node => ({ name: node.label, pj: energyOf(node.label) }));
  const top = inside.filter(node => node.pj > 0).sort((a, b) => b.pj - a.pj).slice(0, 8);
  return saying(block.name, block.energy, top, plural(block.list.length, 'operator') + ': ' + block.ops.slice(0, 8).join(', '));
}

function networkSection() {
  if (!network.nodes.length)
    return;
  const { blocks, collapsed } = makeBlocks(), plan = layout(blocks);
  const node = section('graph', 'Network', (collapsed
    ? 'The network is large: each block is a module of it. '
    : 'What follows an operator without a branch is drawn with it. ') + 'What takes no energy at either end is left out. Colour is energy, on a scale of square roots.');
  const chart = svg('svg', { width: plan.width + 4, height: plan.height, viewBox: `-2 0 ${plan.width + 4} ${plan.height}`, 'aria-label': 'Graph of the network' });
  const reader = readable(chart, 'Point at a block, or use the arrow keys, to read it.');
  const most = Math.max(...blocks.map(block => block.energy)) || 1;
  drawEdges(chart, plan);
  plan.items.forEach(item => reader.add(drawBlock(chart, item, most), () => sayBlock(item.block)));
  const elsewhere = layers.filter(layer => layer.place === Infinity && layer.energy > 0);
  node.append(el('figure', { class: 'card long' }, el('div', { class: 'network' }, chart), reader.out,
    el('figcaption', {}, '0 pJ', el('span', { class: 'ramp' }), energy(most),
      elsewhere.length ? '. Not in the graph: ' + elsewhere.slice(0, 5).map(layer => layer.node + ' ' + energy(layer.energy)).join(', ') : '')));
}
