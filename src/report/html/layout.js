// Layers of a directed graph (Sugiyama): ranks by longest path, dummies on edges that pass a rank,
// order by barycentres; long graphs are folded into columns like a newspaper.

const BOX = { width: 150, height: 40, dummy: 10, gap: 12, pitch: 62, gutter: 34, page: 1160 };

// Edges without those that close a cycle.
function withoutCycles(blocks) {
  const outs = blocks.map(() => []), state = blocks.map(() => 0), edges = [];
  blocks.forEach((block, to) => block.inputs.forEach(from => outs[from].push(to)));
  for (let root = 0; root < blocks.length; root++) {
    const stack = state[root] ? [] : [[root, 0]];
    state[root] = state[root] || 1;
    while (stack.length) {
      const top = stack[stack.length - 1], from = top[0];
      if (top[1] === outs[from].length) {
        state[from] = 2;
        stack.pop();
        continue;
      }
      const to = outs[from][top[1]++];
      if (state[to] === 1)
        continue;
      edges.push([from, to]);
      if (!state[to]) {
        state[to] = 1;
        stack.push([to, 0]);
      }
    }
  }
  return edges;
}

function rankOf(count, edges) {
  const rank = new Array(count).fill(0), missing = new Array(count).fill(0), outs = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) {
    missing[to]++;
    outs[from].push(to);
  }
  const ready = rank.map((_, i) => i).filter(i => !missing[i]);
  for (let k = 0; k < ready.length; k++)
    for (const to of outs[ready[k]]) {
      rank[to] = Math.max(rank[to], rank[ready[k]] + 1);
      if (!--missing[to])
        ready.push(to);
    }
  // What nothing feeds stands right above what it feeds.
  outs.forEach((list, i) => {
    if (list.length && !edges.some(([, to]) => to === i))
      rank[i] = Math.min(...list.map(to => rank[to])) - 1;
  });
  return rank;
}

// Items of every rank: blocks, and dummies on the way of long edges.
function withDummies(blocks, edges, rank) {
  const ranks = Array.from({ length: Math.max(...rank) + 1 }, () => []);
  const items = blocks.map((block, i) => ({ block, rank: rank[i], width: BOX.width, up: [], down: [] }));
  items.forEach(item => ranks[item.rank].push(item));
  const paths = edges.map(([from, to]) => {
    const path = [items[from]];
    for (let r = rank[from] + 1; r < rank[to]; r++) {
      const dummy = { rank: r, width: BOX.dummy, up: [], down: [] };
      ranks[r].push(dummy);
      path.push(dummy);
    }
    path.push(items[to]);
    for (let i = 1; i < path.length; i++) {
      path[i - 1].down.push(path[i]);
      path[i].up.push(path[i - 1]);
    }
    return path;
  });
  return { ranks, items, paths };
}

function orderRanks(ranks) {
  const number = list => list.forEach((item, i) => { item.at = i - (list.length - 1) / 2; });
  ranks.forEach(number);
  for (let sweep = 0; sweep < 8; sweep++) {
    const down = sweep % 2 === 0;
    for (const list of down ? ranks : [...ranks].reverse()) {
      for (const item of list) {
        const next = down ? item.up : item.down;
        item.mean = next.length ? next.reduce((a, other) => a + other.at, 0) / next.length : item.at;
      }
      list.sort((a, b) => a.mean - b.mean);
      number(list);
    }
  }
}

// Side by side without overlap, each as near to where it wants to be as the others let it.
function spread(list) {
  let edge = -Infinity;
  for (const item of list) {
    item.x = Math.max(item.want, edge + item.width / 2);
    edge = item.x + item.width / 2 + BOX.gap;
  }
  const shift = list.reduce((a, item) => a + item.want - item.x, 0) / list.length;
  list.forEach(item => { item.x += shift; });
}

function placeAcross(ranks) {
  for (const list of ranks) {
    list.forEach((item, i) => { item.want = i; item.x = 0; });
    spread(list);
    const middle = (list[0].x + list[list.length - 1].x) / 2;
    list.forEach(item => { item.x -= middle; });
  }
  for (let sweep = 0; sweep < 10; sweep++)
    for (const list of sweep % 2 ? [...ranks].reverse() : ranks) {
      for (const item of list) {
        const next = sweep % 2 ? item.down : item.up, all = next.length ? next : [item];
        item.want = all.reduce((a, other) => a + other.x, 0) / all.length;
      }
      spread(list);
    }
}

// Ranks after which a column ends: near equal parts, where few edges pass.
function cutRanks(ranks, count) {
  const cuts = [];
  for (let c = 1; c < count; c++) {
    const ideal = Math.round(c * ranks.length / count);
    let best = ideal, least = Infinity;
    for (let at = Math.max(ideal - 3, (cuts[cuts.length - 1] || 0) + 1); at <= Math.min(ideal + 2, ranks.length - 1); at++) {
      const passing = new Set(ranks[at - 1].filter(item => item.down.length)).size + Math.abs(at - ideal) / 10;
      if (passing < least)
        [best, least] = [at, passing];
    }
    cuts.push(best);
  }
  return cuts.concat(ranks.length);
}

function layout(blocks) {
  const edges = withoutCycles(blocks), rank = rankOf(blocks.length, edges);
  const { ranks, items, paths } = withDummies(blocks, edges, rank);
  orderRanks(ranks);
  placeAcross(ranks);
  const left = Math.min(...ranks.flat().map(item => item.x - item.width / 2));
  const width = Math.max(...ranks.flat().map(item => item.x + item.width / 2)) - left;
  const fit = Math.max(1, Math.floor((BOX.page + BOX.gutter) / (width + BOX.gutter)));
  const count = Math.max(1, Math.min(fit, Math.ceil(ranks.length / 5)));
  const cuts = cutRanks(ranks, count);
  let first = 0, tallest = 0;
  cuts.forEach((end, column) => {
    for (let r = first; r < end; r++)
      for (const item of ranks[r]) {
        item.column = column;
        item.x += column * (width + BOX.gutter) - left;
        item.y = (r - first) * BOX.pitch;
      }
    tallest = Math.max(tallest, end - first);
    first = end;
  });
  const lanes = cuts.map(() => []); // sources of edges that come over into a column
  const laneOf = (column, source) => {
    const at = lanes[column].indexOf(source);
    return at >= 0 ? at : lanes[column].push(source) - 1;
  };
  paths.forEach(path => path.forEach((item, i) => i && item.column !== path[i - 1].column && laneOf(item.column, path[0])));
  const top = 16 + 3 * Math.max(0, ...lanes.map(list => list.length - 1));
  ranks.flat().forEach(item => { item.y += top; });
  return { items, paths, laneOf, width: count * (width + BOX.gutter) - BOX.gutter, columnWidth: width, height: 2 * top + (tallest - 1) * BOX.pitch + BOX.height };
}
