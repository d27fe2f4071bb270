// Heat maps over two lists of names. Colours stand for categories or for values; buttons switch between layers.
import { axis_style, label_axis } from './axes.js';
import { button, make, tip } from './dom.js';
import { mix, scale_color, scale_gradient, styles_of, text_on } from './theme.js';
import { drawable, format, shortened } from './units.js';

/** A letter for each model, for cells too small for its name. */
const letters = { serial: 'S', openmp: 'O', stdpar: 'P', 'cpu library': 'L', openacc: 'A', target: 'T', cuda: 'C', 'gpu library': 'G' };

/** A colour at a strength from 0 to 1. Strength 0 is pale, but still visible. */
const shade = (color, strength, theme) => mix(theme.back, color, 0.18 + 0.82 * Math.min(1, Math.max(0, strength)));

/** A cell with diagonal stripes of several colours, or without colour. @param {string[]} fills */
function tied_cell(cx, cy, width, height, text, fills, theme) {
  const x = cx - width / 2 + 1, y = cy - height / 2 + 1, w = Math.max(1, width - 2), h = Math.max(1, height - 2);
  const children = [];
  const stripe = 10, slant = h;
  if (fills.length)
    for (let at = -slant, i = 0; at < w; at += stripe, ++i) {
      const clip = (value) => Math.min(x + w, Math.max(x, value));
      children.push({ type: 'polygon', shape: { points: [[clip(x + at + slant), y], [clip(x + at + stripe + slant), y], [clip(x + at + stripe), y + h], [clip(x + at), y + h]] }, style: { fill: fills[i % fills.length] } });
    }
  children.push({ type: 'rect', shape: { x, y, width: w, height: h, r: 2 }, style: { fill: 'none', stroke: theme.soft, lineWidth: 1, lineDash: fills.length ? null : [3, 3] } });
  if (width >= 26) children.push({ type: 'text', x: cx, y: cy, style: { text, fill: theme.text, fontSize: 11, align: 'center', verticalAlign: 'middle', width: width - 6, overflow: 'truncate', ellipsis: '…', stroke: theme.back, lineWidth: 3 } });
  return { type: 'group', children };
}

/** @param {any} spec @param {{redraw: () => void, width: number}} figure @returns {import('./figure.js').View} */
export function heatmap(spec, figure) {
  const x = spec.x.map(String), y = spec.y.map(String);
  const names = spec.scale.type === 'categorical' ? spec.scale.names.map(String) : null;
  const log = !names && !!spec.scale.log;
  const fits = ([xi, yi, value]) => Number.isInteger(xi) && Number.isInteger(yi) && xi >= 0 && yi >= 0 && xi < x.length && yi < y.length &&
    (names ? Number.isInteger(value) && value >= 0 && value < names.length : drawable(value, log));
  const layers = spec.layers.map((layer) => ({ name: String(layer.name), cells: layer.cells.filter(fits) }));
  let current = 0;

  let low = Infinity, high = -Infinity; // over all layers, so that they share a colour scale
  for (const layer of layers) for (const cell of layer.cells) {
    low = Math.min(low, cell[2]);
    high = Math.max(high, cell[2]);
  }
  const share = (value) => (high <= low ? 0 : log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  const text_of = ([, , value, label]) => (label !== undefined && label !== null && label !== '' ? String(label) : names ? names[value] : format(value, spec.scale.unit));

  const narrow = figure.width < 520 && names?.every((name) => letters[name]);
  const short_of = (cell) => {
    const gain = Number(/([\d.]+)×$/.exec(text_of(cell))?.[1] ?? NaN);
    const undecided = text_of(cell).endsWith('?'); // without '?', all named models are equally fast
    return `${[cell[2], ...(cell[5] ?? [])].map((i) => letters[names[i]]).join(undecided ? '/' : '=')}${undecided ? '?' : ''} ${Number.isNaN(gain) ? '' : gain < 9.95 ? gain.toFixed(1) : gain.toFixed(0)}`.trim();
  };

  const controls = [];
  if (layers.length > 1) {
    const group = make('div', { class: 'choices', role: 'group', 'aria-label': 'Layer' });
    layers.forEach((layer, i) => group.append(button(layer.name, () => {
      current = i;
      [...group.children].forEach((each, at) => each.setAttribute('aria-pressed', String(at === i)));
      figure.redraw();
    }, { 'aria-pressed': String(i === 0), 'data-layer': String(i) })));
    controls.push(group);
  }
  if (!names && high >= low) {
    const bar = make('span', { class: 'scale-bar' });
    bar.style.background = scale_gradient;
    controls.push(make('div', { class: 'scale' }, make('span', {}, String(spec.scale.name ?? '')), make('span', {}, format(low, spec.scale.unit, true)), bar, make('span', {}, format(high, spec.scale.unit, true))));
  }
  const longest = Math.max(...layers.flatMap((layer) => layer.cells.map((cell) => (narrow ? short_of(cell) : text_of(cell)).length)), 2);
  const tilted = x.some((name) => name.length > 9) && x.length > 6;
  const bottom = tilted ? 64 : 26;
  const label_width = Math.min(figure.width < 500 ? 130 : 240, 16 + 6.7 * Math.max(...y.map((name) => name.length), 1));
  return {
    empty: layers.every((layer) => layer.cells.length === 0),
    legend: names ? names.map((name, i) => ({ id: `s${i}`, name: narrow ? `${letters[name]} ${name}` : name })) : [],
    swatch: 'fill',
    styles: (theme) => (names ? styles_of(names, theme) : []),
    controls,
    height: 12 + bottom + y.length * 24,
    min_width: label_width + x.length * Math.max(Math.min(figure.width < 500 ? 52 : 76, Math.max(30, 6.4 * longest + 8)), tilted ? 30 : 6.9 * Math.max(...x.map((name) => name.length), 1) + 6),
    option(theme) {
      const styles = names ? styles_of(names, theme) : [];
      const layer = layers[current];
      const style = axis_style(theme);
      const series_of = (id, cells) => ({
        type: 'custom', name: id, clip: true, dimensions: ['x', 'y', 'value'], encode: { x: 0, y: 1 }, data: cells.map((cell) => ({ value: cell.slice(0, 3), cell })),
        renderItem: (params, api) => {
          const cell = cells[params.dataIndexInside];
          const [cx, cy] = api.coord([cell[0], cell[1]]);
          const [width, height] = api.size([1, 1]);
          const text = narrow ? short_of(cell) : text_of(cell);
          const [ties, strength] = names ? [Array.isArray(cell[5]) ? cell[5].filter((i) => styles[i]) : [], drawable(cell[6]) ? cell[6] : 1] : [[], 1];
          const fill = names ? shade(styles[cell[2]].color, strength, theme) : scale_color(share(cell[2]));
          if (names && (ties.length > 0 || strength === 0)) return tied_cell(cx, cy, width, height, text, strength === 0 ? [] : [cell[2], ...ties].map((i) => shade(styles[i].color, 0.6, theme)), theme);
          return {
            type: 'rect', shape: { x: cx - width / 2 + 1, y: cy - height / 2 + 1, width: Math.max(1, width - 2), height: Math.max(1, height - 2), r: 2 }, style: { fill },
            emphasis: { style: { stroke: theme.text, lineWidth: 2 } },
            textContent: width < 26 ? undefined : { style: { text, fill: text_on(fill), fontSize: 11, width: width - 6, overflow: 'truncate', ellipsis: '…' } },
            textConfig: { position: 'inside' },
          };
        },
      });
      return {
        animation: false,
        grid: { left: label_width, right: 8, top: 8, bottom, outerBoundsMode: 'none' },
        xAxis: { ...label_axis(x, theme), axisLabel: { ...style.axisLabel, formatter: (value) => x[Number(value)] ?? '', interval: 0, hideOverlap: false, rotate: tilted ? 35 : 0, ...(tilted && { width: 90, overflow: 'truncate' }) } },
        yAxis: { ...label_axis(y, theme), inverse: true, axisLabel: { ...style.axisLabel, formatter: (value) => shortened(y[Number(value)] ?? '', Math.floor((label_width - 12) / 5.8)), interval: 0, hideOverlap: false, width: label_width - 12, overflow: 'truncate' } },
        tooltip: {
          trigger: 'item',
          formatter: (shown) => {
            const cell = shown.data?.cell;
            if (!cell) return '';
            const rows = [{ name: names ? names[cell[2]] : String(spec.scale.name), value: names ? text_of(cell) : format(cell[2], spec.scale.unit), color: names ? styles[cell[2]].color : scale_color(share(cell[2])) }];
            return tip(`${y[cell[1]]}, ${x[cell[0]]}`, rows, cell[4] ? String(cell[4]) : undefined);
          },
        },
        series: names ? names.map((_, i) => series_of(`s${i}`, layer.cells.filter((cell) => cell[2] === i))) : [series_of('s0', layer.cells)],
      };
    },
  };
}
