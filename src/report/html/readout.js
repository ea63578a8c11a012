// A drawing whose marks can be pointed at, or walked through with the arrow keys: one stop of the
// tab key. What a mark says stands below the drawing.

function readable(drawing, hint) {
  const marks = [];
  const out = el('div', { class: 'readout', 'aria-live': 'polite' }, el('span', { class: 'hint' }, hint));
  let at = -1;

  function show(index) {
    if (at >= 0 && marks[at])
      marks[at].node.classList.remove('on');
    at = index;
    marks[at].node.classList.add('on');
    out.replaceChildren(...marks[at].say());
  }
  function step(event) {
    const moves = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: marks.length - 1 };
    if ((event.key === 'Enter' || event.key === ' ') && at >= 0 && marks[at].act)
      marks[at].act();
    else if (event.key in moves && marks.length)
      show(Math.min(Math.max(moves[event.key], 0), marks.length - 1));
    else
      return;
    event.preventDefault();
  }
  set(drawing, { tabindex: 0, role: 'group', 'aria-roledescription': 'chart', on: { keydown: step } });
  return {
    out,
    clear() {
      marks.length = 0;
      at = -1;
    },
    show,
    // say() gives what to show; act() is what a click or Enter does.
    add(node, say, act) {
      const index = marks.push({ node, say, act }) - 1;
      node.classList.add('mark');
      node.addEventListener('pointerenter', () => show(index));
      if (act)
        node.addEventListener('click', act);
    },
  };
}

// A name, its energy and what that is made of.
function saying(name, pj, pieces, note) {
  const list = el('ul', {}, ...pieces.filter(piece => piece.pj > 0).map(piece => el('li', {}, piece.color ? swatch(piece.color) : null,
    piece.name + ' ' + energy(piece.pj))));
  return [el('div', {}, el('b', {}, name), el('span', { class: 'quiet', title: pj + ' pJ' }, energy(pj) + ', ' + share(pj, total) + (note ? ', ' + note : ''))), list];
}
