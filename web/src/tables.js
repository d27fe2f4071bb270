// The report's tables: a click on a heading sorts them, a button downloads them as CSV (RFC 4180).
import { make, roving } from './dom.js';

const scales = { ns: 1e-9, 'µs': 1e-6, ms: 1e-3, s: 1, '%': 0.01, x: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, B: 1,
  k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };

/** The number at the start of a text, in seconds, bytes, per second, or as a fraction: "12.3 µs", "4.35 TB/s",
 * "9.34x ±29%". NaN without a number. @param {string} text */
export function number_of(text) {
  const found = /^(-?\d[\d.]*(?:e[+-]?\d+)?)\s?(ns|µs|ms|s\b|%|x|[KMGT]iB|B\b|[kMGTP](?=B\/s|FLOP\/s|\b))?/.exec(text);
  return found ? Number((Number(found[1]) * (scales[found[2]] ?? 1)).toPrecision(12)) : NaN;
}

/** The value of a cell: its data-v attribute, or else its text. A dash gives ''. @param {Element|undefined} cell */
export function value_of(cell) {
  if (!cell) return '';
  const text = cell.getAttribute('data-v') ?? cell.textContent.trim();
  if (text === '–' || text === '-') return '';
  const value = cell.classList.contains('t') ? NaN : number_of(text);
  return Number.isNaN(value) ? text : String(value);
}

/** Compares two values. Missing values come last in both directions. @param {string} a @param {string} b @param {boolean} number @param {number} direction 1 or -1 */
export function compare(a, b, number, direction) {
  const missing = (text) => text === '' || (number && Number.isNaN(Number(text)));
  if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b));
  return direction * (number ? Number(a) - Number(b) : a.localeCompare(b, 'en', { numeric: true }));
}

/** @param {string[][]} rows */
export const to_csv = (rows) => rows.map((row) => row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',') + '\r\n').join('');

/** @param {HTMLTableElement} table */
function csv_of(table) {
  return to_csv([...table.rows].map((row) => [...row.cells].map((cell) => (cell.closest('thead') ? cell.textContent.trim() : value_of(cell)))));
}

/** @param {HTMLTableElement} table */
export function sortable(table) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  const body = table.tBodies[0];
  if (!body) return;
  const original = [...body.rows];
  const stops = [];
  heads.forEach((head, column) => {
    const inner = make('button', { type: 'button', class: 'sort' });
    inner.append(...head.childNodes);
    head.append(inner);
    stops.push(inner);
    inner.addEventListener('click', () => {
      const before = head.getAttribute('aria-sort');
      for (const each of heads) each.removeAttribute('aria-sort');
      const direction = before === 'ascending' ? -1 : before === 'descending' ? 0 : 1;
      if (direction === 0) return body.append(...original);
      head.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
      const number = head.dataset.type === 'number';
      const keys = new Map(original.map((row) => [row, value_of(row.cells[column])]));
      body.append(...[...original].sort((a, b) => compare(keys.get(a), keys.get(b), number, direction)));
    });
  });
  if (stops.length) roving(table.tHead, stops);
}

/** The table of a button: the one in the same box, or else the previous one. @param {Element} from */
function table_of(from) {
  for (let element = from.parentElement; element && element !== document.body; element = element.parentElement) {
    const tables = [...element.querySelectorAll('table.data')];
    if (tables.length === 0) continue;
    const before = tables.filter((table) => table.compareDocumentPosition(from) & Node.DOCUMENT_POSITION_FOLLOWING);
    return before.at(-1) ?? tables[0];
  }
  return null;
}

/** @param {HTMLButtonElement} from <button data-csv="file name"> */
export function downloads(from) {
  from.hidden = false;
  from.addEventListener('click', () => {
    const table = table_of(from);
    if (!table) return;
    const url = URL.createObjectURL(new Blob([csv_of(table)], { type: 'text/csv;charset=utf-8' }));
    const link = make('a', { href: url, download: from.dataset.csv || 'table.csv' });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  });
}
