// Stacked columns, one for each node in the order of the network.

const CHART = { width: 1160, height: 230, left: 64, right: 6, top: 16, bands: 22, most: 360 };

// More nodes than there are columns to see: neighbours share one.
function columns() {
  const each = Math.ceil(layers.length / CHART.most);
  const list = [];
  for (let i = 0; i < layers.length; i += each)
    list.push(each === 1 ? layers[i] : joined(layers.slice(i, i + each)));
  return list;
}

function joined(list) {
  const add = key => list.reduce((all, layer) => {
    for (const [name, pj] of Object.entries(layer[key]))
      all[name] = (all[name] || 0) + pj;
    return all;
  }, {});
  return { node: list[0].node + ' … ' + list[list.length - 1].node, first: list[0].node, parts: add('parts'), phases: add('phases'),
           energy: list.reduce((a, layer) => a + layer.energy, 0) };
}

// The end of the axis: one column or two that dwarf the others are cut off, so that those are seen.
function axisEnd(list) {
  const sorted = list.map(layer => layer.energy).sort((a, b) => b - a);
  for (let cut = Math.min(2, sorted.length - 4); cut > 0; cut--)
    if (sorted[cut] > 0 && sorted[cut - 1] > 3 * sorted[cut])
      return sorted[cut] * 1.12;
  return sorted[0] > 0 ? sorted[0] * 1.04 : 1;
}

function niceStep(end) {
  const rough = end / 4, power = 10 ** Math.floor(Math.log10(rough));
  return power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1);
}

function drawAxis(chart, end) {
  const step = niceStep(end), height = CHART.height;
  for (let i = 0; i * step <= end; i++) {
    const y = CHART.top + height - height * i * step / end;
    chart.append(svg('line', { class: i ? 'tick' : 'axis', x1: CHART.left, x2: CHART.width - CHART.right, y1: y, y2: y }),
      svg('text', { class: 'soft', x: CHART.left - 8, y: y + 4, 'text-anchor': 'end' }, i ? energy(i * step).replace(/\.?0+ /, ' ') : '0'));
  }
}

// Neighbours of one scope have its name below them.
function drawScopes(chart, list, pitch) {
  const scope = layer => (layer.first || layer.node).split(/[/.]/).filter(Boolean)[0] || '';
  const y = CHART.top + CHART.height;
  for (let from = 0, to; from < list.length; from = to) {
    for (to = from + 1; to < list.length && scope(list[to]) === scope(list[from]);)
      to++;
    const x = CHART.left + from * pitch, width = (to - from) * pitch, name = scope(list[from]);
    if (to - from > 1)
      chart.append(svg('line', { class: 'axis', x1: x + 1.5, x2: x + width - 1.5, y1: y + 6, y2: y + 6 }));
    if (width > name.length * 6.2 + 4)
      chart.append(svg('text', { class: 'soft', x: x + width / 2, y: y + 19, 'text-anchor': 'middle' }, name));
  }
}

function drawColumn(chart, layer, x, width, end, keys, values) {
  const group = svg('g', {});
  let below = 0;
  for (const key of keys) {
    const pj = values[key] || 0, from = Math.min(below, end), to = Math.min(below + pj, end);
    below += pj;
    if (to > from)
      group.append(svg('rect', { x, width, y: CHART.top + CHART.height * (1 - to / end), height: CHART.height * (to - from) / end,
                                 style: { fill: 'var(--' + key + ')' } }));
  }
  if (layer.energy > end) {
    const y = CHART.top + 20;
    group.append(svg('path', { class: 'break', d: `M${x - 3} ${y + 3}L${x + width / 2} ${y - 3}L${x + width + 3} ${y + 3}` }),
      svg('text', { class: 'strong', x: x + width, y: CHART.top - 5, 'text-anchor': 'end' }, energy(layer.energy)));
  }
  group.append(svg('rect', { x: x - 1, width: width + 2, y: CHART.top, height: CHART.height, fill: 'none', 'pointer-events': 'all' }));
  chart.append(group);
  return group;
}

function layerChart(title, keys, names, of) {
  const list = columns(), end = axisEnd(list), pitch = (CHART.width - CHART.left - CHART.right) / list.length;
  const width = Math.min(pitch - Math.min(2, pitch / 4), 46), inset = (pitch - width) / 2;
  const chart = svg('svg', { viewBox: `0 0 ${CHART.width} ${CHART.top + CHART.height + CHART.bands}`, 'aria-label': title + ', node by node' });
  const reader = readable(chart, 'Point at a column, or use the arrow keys, to read it.');
  drawAxis(chart, end);
  drawScopes(chart, list, pitch);
  list.forEach((layer, i) => {
    const values = Object.keys(layer[of]).length ? layer[of] : { all: layer.energy };
    const column = drawColumn(chart, layer, CHART.left + i * pitch + inset, width, end, keys.concat('all'), values);
    reader.add(column, () => saying(layer.node, layer.energy, keys.map(key => ({ name: names[key], color: key, pj: values[key] || 0 })),
      layer.macs ? count(layer.macs) + ' MACs' : ''));
  });
  const legend = el('ul', { class: 'legend' }, ...keys.map(key => el('li', {}, swatch(key), names[key])));
  return el('figure', { class: 'card' }, el('h3', {}, title), chart, legend, reader.out);
}

function layersSection() {
  const node = section('layers', 'Layers', 'Every node in the order of the network. A column that would dwarf the others is cut off and says its energy.');
  node.append(layerChart('By resource', parts, PART_NAMES, 'parts'));
  if (phases.length > 1)
    node.append(layerChart('By stage', phases, PHASE_NAMES, 'phases'));
}
