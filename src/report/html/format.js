// Numbers for people. Counts beyond 2^53 come as texts of digits (data.js) and stay exact.

function energy(pj) {
  const units = ['pJ', 'nJ', 'µJ', 'mJ', 'J', 'kJ', 'MJ'];
  let unit = 0;
  while (Math.abs(pj) >= 999.95 && unit + 1 < units.length) {
    pj /= 1000;
    unit++;
  }
  const decimals = pj === 0 ? 0 : Math.abs(pj) < 9.9995 ? 3 : Math.abs(pj) < 99.995 ? 2 : 1;
  return pj.toFixed(decimals) + ' ' + units[unit];
}

// "1,814,073,344"; a fraction is left as it is.
function count(value) {
  const [whole, fraction] = String(value).split('.');
  return whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',') + (fraction ? '.' + fraction : '');
}

function share(part, whole) {
  return (whole > 0 ? 100 * part / whole : 0).toFixed(1) + ' %';
}

function plural(n, noun) {
  return count(n) + ' ' + noun + (n === 1 ? '' : 's');
}

// Ends of a long name say more than its beginning.
function shorten(text, most) {
  return text.length <= most ? text : '…' + text.slice(text.length - Math.max(most - 1, 1));
}
