// The report's main script: figures, tables and the theme. A page may have hundreds of figures, so each is drawn when it
// comes near the screen. For printing, all are drawn at once.
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
  // The content of a closed <details> has boxes, but is not displayed.
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

  // A page may have hundreds of tables, so the headings of each become buttons when the table comes near the screen.
  const raw = new Set(/** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll('table[data-sort]')));
  const prepare = (table) => raw.delete(table) && sortable(table);
  const coming = new IntersectionObserver((entries) => entries.forEach((entry) => entry.isIntersecting && prepare(entry.target)), { rootMargin: '400px 0px' });
  raw.forEach((table) => coming.observe(table));
  document.querySelectorAll('button[data-csv]').forEach((button) => downloads(/** @type {HTMLButtonElement} */ (button)));

  // Tables and maps wider than the screen show that they scroll (report.css). A phone shows no scroll bar.
  const widths = new ResizeObserver((entries) => entries.forEach(({ target }) => target.toggleAttribute('data-scrolls', target.scrollWidth > target.clientWidth + 1)));
  document.querySelectorAll('.box, .canvas').forEach((box) => widths.observe(box));

  document.querySelectorAll('form[data-filters]').forEach((form) => filters(/** @type {HTMLFormElement} */ (form)));
  // Only one kernel is open, and the address names it.
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
