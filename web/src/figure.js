// One figure: reads its specification, makes its controls, and draws its chart.
import { init, use } from 'echarts/core';
import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendPlainComponent, TitleComponent, TooltipComponent } from 'echarts/components';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer } from 'echarts/renderers';
import { amdahl } from './amdahl.js';
import { bars } from './bars.js';
import { button, make, roving, swatch } from './dom.js';
import { dots } from './dots.js';
import { heatmap } from './heatmap.js';
import { lines } from './lines.js';
import { parallel } from './parallel.js';
import { roofline } from './roofline.js';
import { strips } from './strips.js';

use([BarChart, CustomChart, LineChart, ScatterChart, GridComponent, LegendPlainComponent, TitleComponent, TooltipComponent, LabelLayout, CanvasRenderer]);

/**
 * The result of a figure kind, from which a figure is drawn.
 * @typedef {object} View
 * @property {boolean} empty true if nothing can be drawn
 * @property {{id: string, name: string}[]} legend the series; may be empty
 * @property {'line'|'symbol'|'fill'} swatch the legend's form
 * @property {(theme: import('./theme.js').Theme) => import('./theme.js').Style[]} styles of the legend's entries
 * @property {HTMLElement[]} [controls]
 * @property {number} [height] px; default: the height of the page's figures
 * @property {number} [min_width] px; on a narrower page the figure scrolls in its box
 * @property {(theme: import('./theme.js').Theme, size: {width: number, height: number, shown: string[]}) => any} option
 */

const kinds = { lines, bars, dots, heatmap, roofline, strips, parallel, amdahl };

export class Figure {
  /** @param {HTMLElement} element <figure data-chart> */
  constructor(element) {
    this.element = element;
    this.box = /** @type {HTMLElement} */ (element.querySelector('.canvas'));
    this.chart = null;
    this.done = false; // drawn or failed
    this.stale = false;
    this.hidden = new Set(); // ids of hidden series
  }

  /** Draws the figure, or shows the error in it. @param {import('./theme.js').Theme} theme */
  draw(theme) {
    this.theme = theme;
    this.stale = false;
    try {
      if (!this.view) this.read();
      this.update();
    } catch (error) {
      this.fail(error);
    }
    this.done = true;
  }

  read() {
    const spec = JSON.parse(this.element.querySelector('script[type="application/json"]').textContent);
    if (spec.kind !== 'choice') return this.show(spec);
    const list = make('select', { 'aria-label': 'Shown' }, ...spec.names.map((name, i) => make('option', { value: String(i) }, String(name))));
    list.addEventListener('change', () => {
      this.clear();
      try {
        this.show(spec.specs[Number(list.value)]);
        if (this.chart) this.update();
      } catch (error) {
        this.fail(error);
      }
    });
    this.choice = make('div', { class: 'choice' }, list);
    this.box.before(this.choice);
    return this.show(spec.specs[0]);
  }

  /** Removes the chart and the controls of the previous choice. */
  clear() {
    this.chart?.dispose();
    this.chart = null;
    this.observer?.disconnect();
    this.controls?.remove();
    this.hidden.clear();
    this.box.classList.remove('nothing');
    this.box.replaceChildren();
    this.box.style.height = '';
  }

  /** @param {any} spec */
  show(spec) {
    if (!Object.hasOwn(kinds, spec.kind)) throw new Error(`unknown kind of figure: ${spec.kind}`);
    this.view = kinds[spec.kind](spec, { redraw: () => this.redraw(), width: this.box.clientWidth });
    if (this.view.empty) {
      this.box.classList.add('nothing');
      this.box.textContent = 'No values that can be drawn.';
      return;
    }
    this.controls = make('div', { class: 'controls' }, ...(this.view.controls ?? []));
    this.legend = make('div', { class: 'legend', role: 'group', 'aria-label': 'Legend' });
    if (this.view.legend.length) this.controls.append(this.legend);
    if (this.controls.childNodes.length) this.box.before(this.controls);
    if (this.view.height) this.box.style.height = `${this.view.height}px`;
    const holder = make('div', { class: 'holder' });
    if (this.view.min_width) holder.style.minWidth = `${Math.ceil(this.view.min_width)}px`;
    this.box.replaceChildren(holder);
    if (this.view.min_width) this.box.tabIndex = 0; // makes the scrolling box reachable by keyboard
    this.chart = init(holder, null, { renderer: 'canvas' });
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.box);
  }

  update() {
    if (!this.chart) return;
    this.make_legend();
    this.apply();
  }

  redraw() {
    try {
      this.update();
    } catch (error) {
      this.fail(error);
    }
  }

  apply() {
    const shown = this.view.legend.map(({ id }) => id).filter((id) => !this.hidden.has(id));
    const size = { width: this.chart.getWidth(), height: this.chart.getHeight(), shown };
    const option = this.view.option(this.theme, size);
    const font = getComputedStyle(document.body).fontFamily;
    this.chart.setOption({
      animation: false,
      textStyle: { fontFamily: font, color: this.theme.text },
      legend: { show: false, data: this.view.legend.map(({ id }) => id), selected: Object.fromEntries([...this.hidden].map((id) => [id, false])) },
      ...option,
      tooltip: { confine: true, transitionDuration: 0, backgroundColor: this.theme.back, borderColor: this.theme.soft, textStyle: { color: this.theme.text, fontSize: 12 }, ...option.tooltip },
    }, true);
    this.drawn_width = size.width;
  }

  make_legend() {
    const styles = this.view.styles(this.theme);
    const made = this.view.legend.map(({ id, name }, i) => button(name, () => this.toggle(id), { 'aria-pressed': String(!this.hidden.has(id)), 'data-series': id }));
    made.forEach((each, i) => each.prepend(swatch(styles[i], this.view.swatch)));
    if (this.legend.childNodes.length === made.length)
      [...this.legend.children].forEach((each, i) => each.firstChild.replaceWith(made[i].firstChild)); // keeps the focus
    else {
      this.legend.replaceChildren(...made);
      roving(this.legend, made);
    }
  }

  /** @param {string} id */
  toggle(id) {
    if (!this.hidden.delete(id)) this.hidden.add(id);
    for (const each of this.legend.children) each.setAttribute('aria-pressed', String(!this.hidden.has(each.dataset.series)));
    this.redraw();
  }

  /** Resizes the chart to its box. For print, the image is scaled instead. */
  fit() {
    if (!this.chart || !this.box.clientWidth || matchMedia('print').matches) return;
    this.chart.resize();
    if (this.chart.getWidth() !== this.drawn_width) this.redraw();
  }

  /** @param {unknown} error */
  fail(error) {
    this.chart?.dispose();
    this.chart = null;
    this.failed = true;
    this.element.classList.add('failed');
    this.controls?.remove();
    this.choice?.remove();
    this.box.removeAttribute('role');
    this.box.style.height = 'auto';
    this.box.replaceChildren(make('p', { class: 'error' }, `This figure could not be drawn: ${error instanceof Error ? error.message : error}. The tables hold its numbers.`));
  }
}
