// Bar charts, grouped or stacked; horizontal if the categories' names are long or many.
import { drawable_of, frame, label_axis, place, value_axis } from './axes.js';
import { tip } from './dom.js';
import { whiskers } from './errors.js';
import { hatched } from './hatch.js';
import { styles_of } from './theme.js';
import { drawable, format, with_interval } from './units.js';

const gap = { barGap: '10%', barCategoryGap: '30%' };

/** @param {any} spec @returns {import('./figure.js').View} */
export function bars(spec) {
  const stacked = !!spec.stacked;
  const log = false; // bars start at zero, so their axis is linear
  const categories = spec.categories.map(String);
  const value_of = (one, i) => (drawable(one.values?.[i], log) ? one.values[i] : null);
  const series = spec.series.map((one, i) => ({
    id: `s${i}`, name: String(one.name), values: categories.map((_, at) => value_of(one, at)),
    low: categories.map((_, at) => (drawable(one.low?.[at], log) ? one.low[at] : null)),
    high: categories.map((_, at) => (drawable(one.high?.[at], log) ? one.high[at] : null)),
  }));
  const names = series.map((one) => one.name);
  const flat = categories.length > 12 || categories.some((name) => name.length > 14);
  const rows = categories.length * (stacked ? 1 : Math.max(1, series.length));
  const sums = categories.map((_, at) => series.reduce((sum, one) => sum + (one.values[at] ?? 0), 0));
  const whole = stacked && sums.every((sum) => sum === 0 || Math.abs(sum - 1) < 1e-3); // the values are shares that sum to 1
  const unit = whole && spec.y.unit === '' ? '%' : spec.y.unit;
  return {
    empty: series.every((one) => one.values.every((value) => value === null)),
    legend: series.map(({ id, name }) => ({ id, name })),
    swatch: 'fill',
    styles: (theme) => styles_of(names, theme).map((style, i) => ({ ...style, hatch: stacked ? i % 3 : 0 })),
    height: flat ? Math.max(160, 70 + rows * (stacked ? 24 : 14) + (stacked ? 0 : categories.length * 8)) : undefined,
    option(theme, size) {
      const styles = styles_of(names, theme), small = size.width < 480;
      const drawn = drawable_of(series.flatMap((one) => [...one.values, ...one.low, ...one.high]), log);
      const value = { ...value_axis({ ...spec.y, unit, log }, drawn, theme, small ? 5 : 8), scale: false };
      if (whole) value.max = 1;
      const label = label_axis(categories, theme);
      if (flat) Object.assign(label.axisLabel, { width: small ? 120 : 260, overflow: 'truncate', interval: 0, hideOverlap: false });
      const base = flat ? frame(value, { ...label, inverse: true }, small) : frame(label, value, small);
      if (flat) Object.assign(base.grid, { top: 8 });
      return {
        ...base,
        tooltip: {
          trigger: 'axis', axisPointer: { type: 'shadow', label: { show: false } },
          formatter: (shown) => {
            const list = shown.filter((one) => one.seriesType === 'bar');
            if (list.length === 0) return '';
            const at = list[0].dataIndex;
            const lines_ = list.map((one) => Number(one.seriesName.slice(1))).filter((i) => series[i].values[at] !== null)
              .map((i) => ({ name: names[i], value: with_interval(series[i].values[at], series[i].low[at], series[i].high[at], unit), color: styles[i].color }));
            if (stacked && !whole) lines_.push({ name: 'sum', value: format(sums[at], unit) });
            return tip(categories[at], lines_, spec.y.name);
          },
        },
        series: series.flatMap((one, i) => {
          const bar = {
            type: 'bar', name: one.id, stack: stacked ? 'all' : undefined, ...(stacked ? { barCategoryGap: '25%', barMaxWidth: 40 } : { ...gap, barMaxWidth: 40 }),
            itemStyle: { color: hatched(styles[i].color, stacked ? i : 0, theme.back), borderColor: theme.back, borderWidth: stacked ? 0.5 : 0 },
            data: one.values.map((each) => (each === null ? '-' : place(each, log))),
          };
          const intervals = stacked ? [] : categories.map((_, at) => at)
            .filter((at) => one.values[at] !== null && (one.low[at] !== null || one.high[at] !== null))
            .map((at) => [at, place(one.low[at] ?? one.values[at], log), place(one.high[at] ?? one.values[at], log)]);
          if (intervals.length === 0) return [bar];
          const shift = (api) => {
            const shown = size.shown ?? series.map((each) => each.id);
            const place_ = shown.indexOf(one.id);
            return place_ < 0 ? 0 : api.barLayout({ count: shown.length, ...gap, barMaxWidth: 40 })[place_].offsetCenter;
          };
          return [bar, whiskers(one.id, intervals, { ...styles[i], color: theme.text }, flat, shift)];
        }),
      };
    },
  };
}
