// Axes. A logarithmic axis is a linear axis of decimal logarithms with its own marks. ECharts' logarithmic axis ends at
// whole powers of ten, which leaves most of a figure empty, and has no marks at 2 and 5.
import { drawable, tick } from './units.js';

/** @typedef {import('./theme.js').Theme} Theme */
/** @typedef {{name: string, unit: string, log: boolean}} AxisSpec */

/** The coordinate of a value: its logarithm on a logarithmic axis. @param {number} value @param {boolean} log */
export const place = (value, log) => (log ? Math.log10(value) : value);

/** Marks between two positive values: decades, or 1, 2 and 5 times each decade if they fit. @param {number} low @param {number} high @param {number} most */
export function log_marks(low, high, most = 8) {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
  const within = (values) => values.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  const list = (factors, every = 1) => {
    const values = [];
    for (let decade = first; decade <= last; ++decade)
      if (((decade % every) + every) % every === 0) for (const factor of factors) values.push(Number(`${factor}e${decade}`));
    return within(values);
  };
  for (const factors of [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 5], [1, 3], [1]]) {
    const values = list(factors);
    if (values.length <= most) return values;
  }
  for (let every = 2; ; ++every) {
    const values = list([1], every);
    if (values.length <= most) return values;
  }
}

/** Ends of a logarithmic axis around the values, with a margin. @param {number[]} values positive @param {number} [room] margin, as a share of the span */
export function log_ends(values, room = 0.06) {
  let low = Infinity, high = 0;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (high / low < 1.5) [low, high] = [low / 1.5, high * 1.5];
  const from = Math.log10(low), to = Math.log10(high), add = room * (to - from);
  return [10 ** Math.max(-307, from - add), 10 ** Math.min(308, to + add)];
}

/** @param {Theme} theme */
export const axis_style = (theme) => ({
  nameTextStyle: { color: theme.soft, fontSize: 12 },
  axisLine: { show: true, onZero: false, lineStyle: { color: theme.soft } },
  axisLabel: { color: theme.soft, fontSize: 11, hideOverlap: true },
  splitLine: { show: true, lineStyle: { color: theme.line } },
});

/** An axis for values; all must be drawable. @param {AxisSpec} spec @param {number[]} values @param {Theme} theme @param {number} [most] marks */
export function value_axis(spec, values, theme, most) {
  const style = axis_style(theme);
  const unit = spec.unit ?? '';
  const axis = { ...style, type: 'value', name: spec.name, scale: true, axisLabel: { ...style.axisLabel, formatter: (value) => tick(value, unit) } };
  if (!spec.log || values.length === 0) return axis;
  const [low, high] = log_ends(values);
  const marks = log_marks(low, high, most).map(Math.log10);
  return {
    ...axis,
    min: Math.log10(low),
    max: Math.log10(high),
    axisTick: { customValues: marks },
    axisLabel: { ...axis.axisLabel, customValues: marks, formatter: (value) => tick(10 ** value, unit) },
    splitLine: { ...axis.splitLine, customValues: marks },
  };
}

/** The grid and the axes. The y axis has its name at the end, the x axis below. @param {any} x @param {any} y @param {boolean} small */
export function frame(x, y, small) {
  return {
    grid: { left: 8, right: small ? 14 : 20, top: 30, bottom: 28, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: { ...x, nameLocation: 'middle', nameGap: 28 },
    yAxis: { ...y, nameLocation: 'end', nameGap: 12, nameTextStyle: { ...y.nameTextStyle, align: 'left', padding: [0, 0, 0, -28] } },
  };
}

/** A category axis. Its data are numbers of labels, so that ECharts never interprets a label. @param {string[]} labels @param {Theme} theme */
export function label_axis(labels, theme) {
  const style = axis_style(theme);
  return { ...style, type: 'category', data: labels.map((_, i) => String(i)), axisTick: { show: false }, splitLine: { show: false },
    axisLabel: { ...style.axisLabel, formatter: (value) => labels[Number(value)] ?? '' } };
}

/** The drawable numbers of a list. @param {unknown[]} values @param {boolean} log */
export const drawable_of = (values, log) => /** @type {number[]} */ (values.filter((value) => drawable(value, log)));
