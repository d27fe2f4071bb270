// Creates elements without HTML source, so that names from the data are always plain text.
import { shapes } from './theme.js';

/** @param {string} tag @param {Record<string, any>} [attributes] @param {...(Node|string)} children */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** @param {string} label @param {() => void} act @param {Record<string, any>} [attributes] */
export function button(label, act, attributes = {}) {
  const element = make('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', act);
  return element;
}

/** Makes a group a single stop of the Tab key; arrow keys move within the group. @param {HTMLElement} group @param {HTMLElement[]} stops */
export function roving(group, stops) {
  stops.forEach((stop, i) => (stop.tabIndex = i === 0 ? 0 : -1));
  group.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (!step || at < 0) return;
    const next = stops[(at + step + stops.length) % stops.length];
    stops.forEach((stop) => (stop.tabIndex = stop === next ? 0 : -1));
    next.focus();
    event.preventDefault();
  });
}

const svg = 'http://www.w3.org/2000/svg';

/** The legend's sample of a series: line and symbol, or colour. @param {import('./theme.js').Style} style @param {'line'|'symbol'|'fill'} how */
export function swatch(style, how) {
  const root = document.createElementNS(svg, 'svg');
  for (const [name, value] of Object.entries({ width: 24, height: 18, viewBox: '0 0 24 18', 'aria-hidden': 'true' })) root.setAttribute(name, String(value));
  const add = (tag, attributes) => {
    const element = document.createElementNS(svg, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    root.append(element);
  };
  if (how === 'fill') add('rect', { x: 5, y: 2, width: 14, height: 14, rx: 2, fill: style.color });
  if (how === 'fill' && style.hatch) add('path', { d: `M5 9l7-7M5 16l14-14M12 16l7-7${style.hatch === 2 ? 'M5 2l14 14' : ''}`, stroke: 'var(--back, #fff)', 'stroke-width': 1.4 });
  if (how === 'line') add('path', { d: 'M0 9h24', stroke: style.color, 'stroke-width': style.width, ...(style.dash ? { 'stroke-dasharray': style.dash.join(' ') } : {}) });
  if (how !== 'fill' && style.symbol !== 'none') {
    add('path', { d: shapes[style.symbol], fill: style.hollow ? 'var(--back, #fff)' : style.color, stroke: style.color, 'stroke-width': 2.5, transform: 'translate(7.5 4.5) scale(0.5625)' });
  }
  return root;
}

/** @typedef {{name: string, value: string, color?: string}} TipRow */
/** The tooltip of a figure. @param {string} title @param {TipRow[]} rows @param {string} [note] */
export function tip(title, rows, note) {
  const body = make('div', { class: 'tip' });
  if (title) body.append(make('div', { class: 'tip-title' }, title));
  for (const row of rows) {
    const mark = make('span', { class: 'tip-mark' });
    if (row.color) mark.style.background = row.color;
    body.append(make('div', { class: 'tip-row' }, mark, make('span', { class: 'tip-name' }, row.name), make('span', { class: 'tip-value' }, row.value)));
  }
  if (note) body.append(make('div', { class: 'tip-note' }, note));
  return body;
}
