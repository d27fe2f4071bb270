// Dot plots: each row has one point per model, with its interval, on a logarithmic x axis. Panels are side by side, or
// stacked on narrow pages.
import { axis_style, drawable_of, place, value_axis } from './axes.js';
import { tip } from './dom.js';
import { whiskers } from './errors.js';
import { styles_of, symbol_path } from './theme.js';
import { drawable, with_interval } from './units.js';

const row_height = 21;

/** @param {any} spec @param {{width: number}} figure @returns {import('./figure.js').View} */
export function dots(spec, figure) {
  const rows = spec.names.map(String), log = !!spec.x.log;
  const panels = spec.panels.map((panel) => ({
    name: String(panel.name),
    series: panel.series.map((one) => ({
      name: String(one.name),
      dots: one.dots.filter(([row, value]) => Number.isInteger(row) && row >= 0 && row < rows.length && drawable(value, log))
        .map(([row, value, low, high, tied, detail]) => ({ row, value, low: drawable(low, log) ? low : null, high: drawable(high, log) ? high : null, tied: !!tied, detail: String(detail ?? '') })),
    })),
  }));
  const names = [...new Set(panels.flatMap((panel) => panel.series.map((one) => one.name)))];
  const id_of = (name) => `s${names.indexOf(name)}`;
  const all = panels.flatMap((panel) => panel.series.flatMap((one) => one.dots));
  const reference = drawable(spec.reference, log) ? spec.reference : null;
  const stacked = figure.width < 620 && panels.length > 1;
  const strong = Math.max(0, Number(spec.strong) || 0);
  const longest = Math.max(...rows.map((name) => name.length), 1);
  const label_width = Math.min(figure.width < 500 ? 110 : 190, 14 + (strong ? 7.4 : 6.6) * longest);
  const body = rows.length * row_height;
  return {
    empty: all.length === 0,
    legend: names.map((name) => ({ id: id_of(name), name })),
    swatch: 'symbol',
    styles: (theme) => styles_of(names, theme),
    height: stacked ? panels.length * (body + 66) : body + 66,
    option(theme, size) {
      const styles = styles_of(names, theme), style = axis_style(theme);
      const wide = (size.width - label_width - 14) / (stacked ? 1 : panels.length) - (stacked || panels.length === 1 ? 0 : 12);
      const axis = value_axis({ ...spec.x, unit: spec.x.unit ?? '', log }, drawable_of([...all.flatMap((dot) => [dot.value, dot.low, dot.high]), reference], log), theme, Math.max(3, Math.floor(wide / 55)));
      const left = (at) => (stacked ? label_width : label_width + at * (wide + 14));
      const grids = panels.map((_, at) => ({ left: left(at), width: wide, top: stacked ? 24 + at * (body + 66) : 24, height: body, outerBoundsMode: 'none' }));
      const series = panels.flatMap((panel, at) => panel.series.flatMap((one) => {
        const i = names.indexOf(one.name), id = id_of(one.name), on = { xAxisIndex: at, yAxisIndex: at };
        const points = {
          type: 'scatter', name: id, ...on, z: 4, symbol: symbol_path(styles[i].symbol), symbolSize: 10,
          itemStyle: { color: styles[i].hollow ? theme.back : styles[i].color, borderColor: styles[i].hollow ? styles[i].color : theme.back, borderWidth: styles[i].hollow ? 1.5 : 0.5, opacity: 1 },
          data: one.dots.map((dot) => ({ value: [place(dot.value, log), dot.row], dot, series: i })),
        };
        const tied = one.dots.filter((dot) => dot.tied);
        const rings = tied.length === 0 ? [] : [{
          type: 'scatter', name: id, ...on, silent: true, z: 3, symbol: 'circle', symbolSize: 17, tooltip: { show: false },
          itemStyle: { color: 'transparent', borderColor: theme.text, borderWidth: 1.4 }, data: tied.map((dot) => [place(dot.value, log), dot.row]),
        }];
        const intervals = one.dots.filter((dot) => dot.low !== null || dot.high !== null)
          .map((dot) => [dot.row, place(dot.low ?? dot.value, log), place(dot.high ?? dot.value, log)]);
        return [points, ...rings, ...(intervals.length && intervals.length <= 400 ? [{ ...whiskers(id, intervals, styles[i], true), ...on }] : [])];
      }));
      const marks = panels.map((_, at) => ({
        type: 'custom', name: `marks${at}`, xAxisIndex: at, yAxisIndex: at, silent: true, z: 1, tooltip: { show: false }, data: [[0, 0]], encode: { x: [], y: [] },
        renderItem: (params, api) => {
          const { x, y, width, height } = params.coordSys, children = [];
          const line = (x1, y1, x2, y2, width_) => children.push({ type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: theme.text, lineWidth: width_ } });
          if (reference !== null) { const at_ = api.coord([place(reference, log), 0])[0]; line(at_, y, at_, y + height, 1.4); }
          if (strong) line(x, y + height * (1 - strong / rows.length), x + width, y + height * (1 - strong / rows.length), 1);
          return { type: 'group', children };
        },
      }));
      return {
        animation: false,
        grid: grids,
        title: panels.map((panel, at) => ({ text: panel.name, left: grids[at].left, top: grids[at].top - 23, textStyle: { color: theme.soft, fontSize: 12, fontWeight: 'normal' } })),
        xAxis: panels.map((_, at) => ({ ...axis, gridIndex: at, name: at === 0 || stacked ? spec.x.name : '', nameLocation: 'middle', nameGap: 26 })),
        yAxis: panels.map((_, at) => ({
          ...style, gridIndex: at, type: 'category', inverse: true, data: rows.map((__, i) => String(i)), axisTick: { show: false }, splitLine: { show: true, lineStyle: { color: theme.line } },
          axisLabel: { ...style.axisLabel, show: at === 0 || stacked, interval: 0, hideOverlap: false, width: label_width - 10, overflow: 'truncate', color: theme.text,
            formatter: (value) => (Number(value) >= rows.length - strong ? `{strong|${rows[Number(value)]}}` : rows[Number(value)] ?? ''), rich: { strong: { fontWeight: 'bold', fontSize: 11, color: theme.text } } },
        })),
        tooltip: {
          trigger: 'item',
          formatter: (shown) => {
            const { dot, series: i } = shown.data ?? {};
            if (!dot) return '';
            return tip(rows[dot.row], [{ name: names[i], value: with_interval(dot.value, dot.low, dot.high, spec.x.unit ?? ''), color: styles[i].color }], `${dot.detail}${dot.tied ? (spec.strong ? '; tied for the fastest' : '') : ''}`);
          },
        },
        series: [...marks, ...series],
      };
    },
  };
}
