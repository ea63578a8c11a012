// Mapped estimates: what the search came to (report.mapping), and the loop nest of each fragment
// that carries one (fragment.mapping.levels, outermost first).

function nestText(levels) {
  let indent = 0;
  const text = [];
  for (const level of levels) {
    text.push('  '.repeat(indent) + level.name + ':');
    for (const [dim, n] of level.temporal || [])
      text.push('  '.repeat(++indent) + 'for ' + dim + ' in ' + n);
    for (const axis of ['x', 'y'])
      for (const [dim, n] of level['spatial_' + axis] || [])
        text.push('  '.repeat(++indent) + 'parallel ' + dim + ' in ' + n + ' along ' + axis);
  }
  return text.join('\n');
}

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

function mappingSection() {
  const nests = fragments.filter(fragment => fragment.mapping && fragment.mapping.levels);
  if (!report.mapping && !nests.length)
    return;
  const node = section('mapping', 'Mappings', 'How the loops of each layer are laid out on the machine of the preset.');
  if (report.mapping)
    node.append(el('dl', { class: 'card pairs' }, ...pairs(report.mapping)));
  for (const fragment of nests)
    node.append(el('details', { class: 'card' }, el('summary', {}, fragment.node + ', ' + fragment.op_name),
      el('pre', { class: 'nest', tabindex: 0 }, nestText(fragment.mapping.levels))));
}
