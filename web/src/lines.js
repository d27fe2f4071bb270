// Line charts over a size: points with intervals, on linear or logarithmic axes.
import { drawable_of, frame, place, value_axis } from './axes.js';
import { tip } from './dom.js';
import { band, whiskers } from './errors.js';
import { hatched } from './hatch.js';
import { styles_of, symbol_path } from './theme.js';
import { drawable, format, with_interval } from './units.js';

const most_whiskers = 24; // per line; a line with more points gets a band

/** The drawable points in the order of x. Undrawable bounds are left out. */
function points_of(series, x_log, y_log) {
  return (series.points ?? [])
    .filter(([x, y]) => drawable(x, x_log) && drawable(y, y_log))
    .map(([x, y, low, high]) => ({ x, y, low: drawable(low, y_log) ? low : null, high: drawable(high, y_log) ? high : null }))
    .sort((a, b) => a.x - b.x);
}

/** Puts marks at powers of two if every x is a power of two. @param {any} axis @param {{log: boolean}} spec @param {number[]} values */
function powers_of_two(axis, spec, values) {
  const exponents = [...new Set(values.map(Math.log2))].sort((a, b) => a - b);
  if (!spec.log || exponents.length < 2 || !exponents.every(Number.isInteger)) return;
  const every = Math.ceil(exponents.length / 9);
  const marks = exponents.filter((_, i) => i % every === 0).map((exponent) => exponent * Math.log10(2));
  const text = (value) => String(2 ** Math.round(value / Math.log10(2)));
  axis.axisTick = { customValues: marks };
  axis.axisLabel = { ...axis.axisLabel, customValues: marks, formatter: text };
  axis.splitLine = { ...axis.splitLine, customValues: marks };
}

/** A line at the reference value, which is usually 1. */
const reference_line = (value, log, theme) => ({
  type: 'custom', name: 'reference', silent: true, z: 1, tooltip: { show: false }, data: [[0, 0]], encode: { x: [], y: [] },
  renderItem: (params, api) => {
    const { x, width } = params.coordSys, y = api.coord([0, place(value, log)])[1];
    return { type: 'line', shape: { x1: x, y1: y, x2: x + width, y2: y }, style: { stroke: theme.text, lineWidth: 1.2 } };
  },
});

/** Hatches the range that has no measurements, and labels it. @param {number} from in axis coordinates @param {import('./theme.js').Theme} theme */
const model_ground = (from, theme) => ({
  type: 'custom', name: 'model ground', silent: true, z: 0, clip: true, tooltip: { show: false }, data: [[0, 0]], encode: { x: [], y: [] },
  renderItem: (params, api) => {
    const { x, y, width, height } = params.coordSys, left = Math.max(x, api.coord([from, 0])[0]), right = x + width;
    if (left >= right) return null;
    return { type: 'group', children: [
      { type: 'rect', shape: { x: left, y, width: right - left, height }, style: { fill: hatched(theme.back, 1, theme.line) } },
      { type: 'text', style: { text: 'model', x: right - 6, y: y + 4, align: 'right', verticalAlign: 'top', fill: theme.soft, fontSize: 15, fontStyle: 'italic', fontWeight: 'bold', stroke: theme.back, lineWidth: 3 } },
    ] };
  },
});

/** The style of a series by its role: ideals are thin lines, models are dashed lines, both without symbols. @param {import('./theme.js').Style} style @param {unknown} role @param {import('./theme.js').Theme} theme @returns {import('./theme.js').Style} */
const style_of_role = (style, role, theme) => (role === 'ideal' ? { ...style, color: theme.soft, dash: null, symbol: 'none', width: 1 } : role === 'model' ? { ...style, dash: [6, 4], symbol: 'none' } : style);

/** @param {any} spec @returns {import('./figure.js').View} */
export function lines(spec) {
  const x_log = !!spec.x.log, y_log = !!spec.y.log;
  const series = spec.series.map((one, i) => ({ id: `s${i}`, name: String(one.name), points: points_of(one, x_log, y_log), role: one.role }));
  const all = series.flatMap((one) => one.points);
  const names = series.map((one) => one.name);
  const joined = new Set(all.map((point) => point.x)).size >= 3; // a curve needs three points
  const reference = drawable(spec.reference, y_log) ? spec.reference : null;
  const model_from = drawable(spec.model_from, x_log) ? place(spec.model_from, x_log) : null;
  const styled = (theme) => styles_of(names, theme).map((style, i) => style_of_role(style, series[i].role, theme));
  return {
    empty: all.length === 0,
    legend: series.map(({ id, name }) => ({ id, name })),
    swatch: 'line',
    styles: styled,
    option(theme, size) {
      const styles = styled(theme), small = size.width < 480;
      const x = value_axis(spec.x, all.map((point) => point.x), theme, small ? 5 : 8);
      powers_of_two(x, spec.x, all.map((point) => point.x));
      const y = value_axis(spec.y, drawable_of([...all.flatMap((point) => [point.y, point.low, point.high]), reference], y_log), theme);
      return {
        ...frame(x, y, small),
        tooltip: {
          trigger: 'axis',
          axisPointer: { type: 'line', lineStyle: { color: theme.soft, type: 'dashed' }, label: { show: false } },
          formatter: (shown) => {
            const rows = shown.filter((one) => one.data?.point);
            if (rows.length === 0) return '';
            return tip(`${spec.x.name} ${format(rows[0].data.point.x, spec.x.unit)}`, rows.map((one) => {
              const { y: value, low, high } = one.data.point;
              return { name: names[one.data.series], value: with_interval(value, low, high, spec.y.unit), color: styles[one.data.series].color };
            }), spec.y.name);
          },
        },
        series: [...(model_from === null ? [] : [model_ground(model_from, theme)]), ...(reference === null ? [] : [reference_line(reference, y_log, theme)]), ...series.flatMap(({ id, points, role }, i) => {
          const style = styles[i];
          const at = (point) => [place(point.x, x_log), place(point.y, y_log)];
          const line = {
            type: 'line', name: id, z: 2, symbol: symbol_path(style.symbol), symbolSize: points.length > 60 ? 4 : 8, showAllSymbol: points.length <= 60, connectNulls: true,
            lineStyle: { color: style.color, width: joined || role ? style.width : 0, type: style.dash ?? 'solid', opacity: style.opacity },
            itemStyle: { color: style.hollow ? theme.back : style.color, borderColor: style.color, borderWidth: 1.5, opacity: style.opacity },
            emphasis: { focus: 'series', blurScope: 'coordinateSystem' },
            data: points.map((point) => ({ value: at(point), point, series: i })),
          };
          const intervals = points.filter((point) => point.low !== null || point.high !== null)
            .map((point) => [place(point.x, x_log), place(point.low ?? point.y, y_log), place(point.high ?? point.y, y_log)]);
          if (intervals.length === 0) return [line];
          return [line, intervals.length > most_whiskers || role === 'model' ? band(id, intervals, style) : whiskers(id, intervals, style)];
        })],
      };
    },
  };
}
