// Stage, operation, node, resource: each row divides the one above it.

const ICICLE = { width: 1160, row: 36, names: ['Total', 'Stage', 'Operation', 'Node', 'Resource'] };

function branch(parent, name, hue) {
  let child = parent.children.get(name);
  if (!child)
    parent.children.set(name, child = { name, hue, pj: 0, parent, depth: parent.depth + 1, children: new Map() });
  return child;
}

function icicleTree() {
  const root = { name: report.model, hue: 'all', pj: 0, depth: 0, children: new Map() };
  for (const row of rows) {
    const stage = branch(root, row.stage, row.phase), op = branch(stage, row.op, row.phase);
    const node = branch(op, row.node, row.phase);
    for (const part of PARTS) {
      const pj = row.parts[part] || 0;
      if (pj > 0)
        for (let at = branch(node, PART_NAMES[part], part); at; at = at.parent)
          at.pj += pj;
    }
  }
  return root;
}

function pathOf(item) {
  const names = [];
  for (let at = item; at.parent; at = at.parent)
    names.unshift(at.name);
  return names.join(' › ') || item.name;
}

function icicle() {
  const root = icicleTree();
  const chart = svg('svg', { class: 'icicle', viewBox: `0 0 ${ICICLE.width} ${ICICLE.row * ICICLE.names.length}`, 'aria-label': 'Energy by stage, operation, node and resource' });
  const reader = readable(chart, 'Point at a piece, or use the arrow keys, to read it; click or Enter looks into it, Escape goes back.');
  const back = el('button', { type: 'button', hidden: true, on: { click: () => look(root) } }, 'Back to the whole');
  let looked = root;

  function draw(item, x, width) {
    const leaf = item.depth === ICICLE.names.length - 1;
    const rect = svg('rect', { x, y: item.depth * ICICLE.row, width, height: ICICLE.row, rx: 3, class: leaf ? 'leaf' : 'zoom', style: color(item.hue), 'stroke-width': Math.min(1, width / 5) });
    chart.append(rect);
    const room = Math.floor((width - 12) / 6.4), text = item.name + (room > item.name.length + 12 ? '  ' + energy(item.pj) : '');
    if (room > 3)
      chart.append(svg('text', { x: x + 7, y: item.depth * ICICLE.row + 22 }, shorten(text, room)));
    reader.add(rect, () => saying(pathOf(item), item.pj, [...item.children.values()].sort((a, b) => b.pj - a.pj).slice(0, 12).map(child =>
      ({ name: child.name, pj: child.pj }))), leaf ? null : () => look(item));
  }
  // Pieces too thin to see, together.
  function drawRest(item, list, x, width) {
    const pj = list.reduce((a, child) => a + child.pj, 0);
    const rect = svg('rect', { x, y: (item.depth + 1) * ICICLE.row, width, height: ICICLE.row, style: color(list[0].hue), 'stroke-width': Math.min(1, width / 5) });
    chart.append(rect);
    reader.add(rect, () => saying(pathOf(item) + ' › ' + count(list.length) + ' more', pj, list.slice(0, 12)));
  }
  function below(item, x, width) {
    const children = [...item.children.values()];
    if (item.depth > 0)
      children.sort((a, b) => b.pj - a.pj);
    const sizeOf = child => item.pj > 0 ? width * child.pj / item.pj : 0;
    const thin = children.filter(child => sizeOf(child) < .5);
    for (const child of children.filter(child => sizeOf(child) >= .5)) {
      draw(child, x, sizeOf(child));
      below(child, x, sizeOf(child));
      x += sizeOf(child);
    }
    const rest = thin.reduce((a, child) => a + sizeOf(child), 0);
    if (rest >= .5)
      drawRest(item, thin, x, rest);
  }
  function look(item) {
    looked = item;
    chart.replaceChildren();
    reader.clear();
    back.hidden = item === root;
    const above = [];
    for (let at = item; at; at = at.parent)
      above.unshift(at);
    above.forEach(at => draw(at, 0, ICICLE.width));
    below(item, 0, ICICLE.width);
    reader.show(above.length - 1);
  }
  chart.addEventListener('keydown', event => {
    if (event.key === 'Escape' && looked.parent)
      look(looked.parent);
  });
  look(root);
  return el('figure', { class: 'card' }, chart, reader.out, el('div', { class: 'more' }, back));
}

function icicleSection() {
  if (rows.length)
    section('icicle', 'Breakdown', 'From top to bottom: total, stage, operation, node, resource. Widths are energies.').append(icicle());
}
