// Tables that sort by a click on a heading and show the rows that hold what is searched for.

const PAGE_ROWS = 25;

function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number')
    return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

// columns: {title, number, kind: class of a text's cell, value(row), cell(row)};
// options: {search: label, unit: noun, details(row), tally(rows)}
function dataTable(id, columns, list, options) {
  const text = list.map(row => columns.map(column => column.value(row)).join(' ').toLowerCase());
  const order = list.map((_, i) => i);
  const body = el('tbody', {}), tally = el('span', { class: 'count', role: 'status' });
  const more = el('button', { type: 'button', on: { click: () => draw(Infinity) } });
  const search = el('input', { type: 'search', id: id + '-search', autocomplete: 'off', spellcheck: 'false', on: { input: () => draw(PAGE_ROWS) } });
  const heads = columns.map((column, c) => el('th', { scope: 'col', class: column.number ? 'n' : '' },
    el('button', { type: 'button', on: { click: () => sortBy(c) } }, column.title)));

  function found() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return order.filter(i => words.every(word => text[i].includes(word)));
  }
  function rowOf(i) {
    const row = list[i], cells = columns.map(column => el(column === columns[0] ? 'th' : 'td',
      { class: column.number ? 'n' : column.kind || '', scope: column === columns[0] ? 'row' : null, title: /^long/.test(column.kind) ? column.value(row) : null },
      column.cell ? column.cell(row) : String(column.value(row))));
    const node = el('tr', {}, ...cells);
    if (options.details)
      node.prepend(el('td', {}, opener(node, row)));
    return node;
  }
  function opener(node, row) {
    let details = null;
    const button = el('button', { type: 'button', class: 'open', 'aria-expanded': 'false', 'aria-label': 'All of it', on: { click: () => {
      if (details)
        details = details.remove();
      else
        node.after(details = el('tr', { class: 'details' }, el('td', { colspan: columns.length + 1 }, options.details(row))));
      set(button, { 'aria-expanded': String(Boolean(details)) });
      button.textContent = details ? '−' : '+';
    } } }, '+');
    return button;
  }
  function draw(most) {
    const hits = found();
    body.replaceChildren(...hits.slice(0, most).map(rowOf));
    more.hidden = hits.length <= most;
    more.textContent = 'Show all ' + plural(hits.length, options.unit);
    tally.textContent = count(hits.length) + ' of ' + plural(list.length, options.unit) + (options.tally ? ', ' + options.tally(hits.map(i => list[i])) : '');
  }
  function sortBy(c, falling) {
    const now = heads[c].getAttribute('aria-sort');
    const down = falling === undefined ? (now ? now === 'ascending' : Boolean(columns[c].number)) : falling;
    heads.forEach(head => head.removeAttribute('aria-sort'));
    set(heads[c], { 'aria-sort': down ? 'descending' : 'ascending' });
    const values = list.map(columns[c].value);
    order.sort((a, b) => (down ? compare(values[b], values[a]) : compare(values[a], values[b])) || a - b);
    draw(PAGE_ROWS);
  }
  draw(PAGE_ROWS);
  forPrint(() => draw(Infinity), () => draw(PAGE_ROWS));
  return el('div', { class: 'card long', id },
    el('div', { class: 'tools' }, el('label', {}, options.search, search), tally),
    el('div', { class: 'scroll' }, el('table', { class: 'rows' }, el('thead', {}, el('tr', {}, options.details ? el('td', {}) : null, ...heads)), body)),
    el('div', { class: 'more' }, more));
}
