// The report's script: figures, tables, the theme. Figures are drawn as they come near the screen, since a page may
// have hundreds of them; all at once for printing.
import { make } from './dom.js';
import { filters } from './filters.js';
import { Figure } from './figure.js';
import style from './style.css';
import { downloads, sortable } from './tables.js';
import { is_dark, theme_of } from './theme.js';

const root = document.documentElement;

function start() {
  document.head.append(make('style', {}, style));
  root.dataset.charts = '';
  let theme = theme_of(is_dark());
  const figures = new Map([...document.querySelectorAll('figure[data-chart]')].map((element) => [element, new Figure(/** @type {HTMLElement} */ (element))]));
  Object.assign(window, { sextantCharts: 0 });

  /** @param {Figure} figure */
  function draw(figure) {
    if (figure.done && !figure.stale) return;
    const first = !figure.done;
    figure.draw(theme);
    if (first && !figure.failed) ++window.sextantCharts;
  }
  // What a closed <details> holds has boxes, but is not displayed.
  const displayed = (element) => (element.checkVisibility ? element.checkVisibility() : element.getClientRects().length > 0);
  const draw_all = () => figures.forEach((figure, element) => displayed(element) && draw(figure));
  const near = (element) => {
    const box = element.getBoundingClientRect();
    return displayed(element) && box.bottom > -800 && box.top < innerHeight + 800;
  };
  function restyle(next = theme_of(is_dark())) {
    theme = next;
    figures.forEach((figure, element) => {
      figure.stale = figure.done && !figure.failed;
      if (figure.done && near(element)) draw(figure);
    });
  }

  // A table's headings become buttons when it comes near: a page may have hundreds of tables.
  const raw = new Set(/** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll('table[data-sort]')));
  const prepare = (table) => raw.delete(table) && sortable(table);
  const coming = new IntersectionObserver((entries) => entries.forEach((entry) => entry.isIntersecting && prepare(entry.target)), { rootMargin: '400px 0px' });
  raw.forEach((table) => coming.observe(table));
  document.querySelectorAll('button[data-csv]').forEach((button) => downloads(/** @type {HTMLButtonElement} */ (button)));

  // Tables and maps that are wider than the screen say that they scroll (report.css): on a phone nothing else shows it.
  const widths = new ResizeObserver((entries) => entries.forEach(({ target }) => target.toggleAttribute('data-scrolls', target.scrollWidth > target.clientWidth + 1)));
  document.querySelectorAll('.box, .canvas').forEach((box) => widths.observe(box));

  document.querySelectorAll('form[data-filters]').forEach((form) => filters(/** @type {HTMLFormElement} */ (form)));
  // One kernel at a time, and the address names it.
  const kernels = [...document.querySelectorAll('details.kernel')];
  kernels.forEach((one) => one.addEventListener('toggle', () => {
    if (!one.open || !one.matches('.kernel')) return;
    for (const each of kernels) if (each !== one) each.open = false;
    if (!location.hash.startsWith(`#${one.id}`)) history.replaceState(null, '', `#${one.id}${location.hash.includes('&') ? location.hash.slice(location.hash.indexOf('&')) : ''}`);
  }));

  const toggle = /** @type {HTMLButtonElement|null} */ (document.getElementById('theme'));
  const label = () => {
    if (!toggle) return;
    toggle.textContent = is_dark() ? 'Light' : 'Dark';
    toggle.setAttribute('aria-label', is_dark() ? 'Light colours' : 'Dark colours');
  };
  if (toggle) {
    toggle.hidden = false;
    toggle.addEventListener('click', () => {
      root.dataset.theme = is_dark() ? 'light' : 'dark';
      label();
      restyle();
    });
  }
  label();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    label();
    restyle();
  });

  addEventListener('beforeprint', () => {
    root.dataset.printing = '';
    restyle(theme_of(false));
    draw_all();
    figures.forEach((figure) => figure.fit());
  });
  addEventListener('afterprint', () => {
    delete root.dataset.printing;
    restyle();
    figures.forEach((figure) => figure.fit());
  });

  Object.assign(window, { sextantDrawAll: () => { draw_all(); raw.forEach(prepare); } });
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) draw(figures.get(entry.target));
    root.dataset.ready = 'true';
  }, { rootMargin: '800px 0px' });
  if (figures.size === 0) root.dataset.ready = 'true';
  figures.forEach((_, element) => observer.observe(element));
}

start();
