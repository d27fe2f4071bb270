// Formats numbers with units like the program: three significant digits and SI prefixes.

/** @typedef {''|'s'|'B'|'B/s'|'FLOP/s'|'%'|string} Unit  '%': a fraction, shown times 100 */

const prefixes = [[1e-12, 'p'], [1e-9, 'n'], [1e-6, 'µ'], [1e-3, 'm'], [1, ''], [1e3, 'k'], [1e6, 'M'], [1e9, 'G'], [1e12, 'T'], [1e15, 'P']];

/** True if a value has a position on an axis. @param {unknown} value @param {boolean} [log] */
export const drawable = (value, log = false) =>
  typeof value === 'number' && Number.isFinite(value) && (!log || value > 0);

/** Three significant digits, with an exponent only for very small and large numbers. `short` removes trailing zeros.
 * @param {number} value @param {boolean} [short] */
export function digits(value, short = false) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2).replace(/\.?0+e/, 'e').replace('e+', 'e');
  const text = size >= 99.95 ? value.toFixed(0) : size >= 9.995 ? value.toFixed(1) : size >= 0.0995 || size === 0 ? value.toFixed(2) : value.toPrecision(2);
  return short && text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** @param {number} value @param {[number, string][]} table @param {number} [least] */
function step(value, table, least = 0) {
  const size = Math.abs(value) * (1 + 5e-4); // rounds first: 999.6 n becomes 1.00 µ
  let i = table.length - 1;
  while (i > least && size < table[i][0]) --i;
  return table[i];
}

const binary = [[1, ''], [2 ** 10, 'Ki'], [2 ** 20, 'Mi'], [2 ** 30, 'Gi'], [2 ** 40, 'Ti']];

/** A value with its unit, for tooltips, legends and cells. @param {unknown} value @param {Unit} unit @param {boolean} [short] */
export function format(value, unit, short = false) {
  if (!drawable(value)) return '–';
  if (unit === '%') return `${(100 * value).toFixed(1)} %`;
  if (unit === '') return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : digits(value, short);
  if (value === 0) return `0 ${unit}`;
  const [scale, prefix] = unit === 'B' ? step(value, binary)
    : unit === 's' ? step(value, prefixes.slice(0, 5), 1)
    : step(value, prefixes, unit.endsWith('/s') ? 4 : 1);
  return `${digits(value / scale, short)} ${prefix}${unit}`;
}

/** The shortest label of an axis mark. Whole numbers are written out, as in tables. @param {number} value @param {Unit} unit */
export function tick(value, unit) {
  if (unit === '%') return `${Number((100 * value).toPrecision(6))} %`;
  if (unit !== '') return format(Number(value.toPrecision(6)), unit, true);
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(0) : String(Number(value.toPrecision(6)));
}

/** Shortens a name to `most` characters. It cuts the middle, because names in a list often differ at their ends. @param {string} name @param {number} most */
export function shortened(name, most) {
  const characters = [...name], end = Math.min(10, Math.floor(most / 2));
  return characters.length <= most ? name : `${characters.slice(0, Math.max(0, most - end - 1)).join('')}…${characters.slice(characters.length - end).join('')}`;
}

/** "1.2 µs (1.1 µs – 1.3 µs)" @param {number} value @param {unknown} low @param {unknown} high @param {Unit} unit */
export function with_interval(value, low, high, unit) {
  const text = format(value, unit);
  return drawable(low) && drawable(high) ? `${text}  (${format(low, unit)} – ${format(high, unit)})` : text;
}
