// Elements. Names come from files that may be hostile: text goes in as text, never as markup.

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes || {}))
    if (name === 'class')
      node.setAttribute('class', value);
    else if (name === 'on')
      for (const [event, act] of Object.entries(value))
        node.addEventListener(event, act);
    else if (name === 'style')
      for (const [key, to] of Object.entries(value))
        node.style.setProperty(key, to);
    else if (value !== undefined && value !== null && value !== false)
      node.setAttribute(name, value === true ? '' : value);
  return node;
}

function el(tag, attributes, ...children) {
  const node = set(document.createElement(tag), attributes);
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

function svg(tag, attributes, ...children) {
  const node = set(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes);
  node.append(...children);
  return node;
}

function color(name) {
  return { '--c': 'var(--' + name + ')' };
}

// A number of the report, found by its path there: scaled, with the exact value to point at.
function shown(path, format) {
  const value = path.reduce((at, key) => at[key], report);
  const exact = format === energy ? value + ' pJ' : count(value);
  return el('span', { title: exact, 'data-path': JSON.stringify(path), 'data-as': format.name }, format(value));
}

// A section with its place in the navigation; returns where its content goes.
function section(id, title, intro) {
  const heading = el('h2', { id: id + '-title' }, title);
  const node = el('section', { id, 'aria-labelledby': id + '-title' }, heading);
  if (intro)
    node.append(el('p', { class: 'intro' }, intro));
  document.getElementById('main').append(node);
  document.getElementById('sections').append(el('li', {}, el('a', { href: '#' + id }, title)));
  return node;
}

// Paper cannot be clicked: what is folded on the screen is open there.
function forPrint(unfold, fold) {
  window.addEventListener('beforeprint', unfold);
  window.addEventListener('afterprint', fold);
}

function swatch(name) {
  return el('span', { class: 'swatch', style: color(name) });
}
