// Samples of cases: one strip per case, shaded by its histogram, with a mark at the median.
import { axis_style, value_axis } from './axes.js';
import { tip } from './dom.js';
import { model_of } from './theme.js';
import { drawable, format } from './units.js';

/** @param {any} spec @param {{width: number}} figure @returns {import('./figure.js').View} */
export function strips(spec, figure) {
  const list = spec.strips.map(([name, low, high, median, samples, counts]) => ({ name: String(name), low, high, median, samples, counts: typeof counts === 'string' ? [...counts].map((digit) => parseInt(digit, 36) || 0) : [] }))
    .filter((one) => drawable(one.low, true) && drawable(one.high, true) && one.counts.length > 0);
  const names = list.map((one) => one.name);
  const label_width = Math.min(figure.width < 500 ? 120 : 220, 14 + 6.6 * Math.max(...names.map((name) => name.length), 1));
  return {
    empty: list.length === 0,
    legend: [],
    swatch: 'fill',
    styles: () => [],
    height: 52 + list.length * 40,
    option(theme, size) {
      const colors = names.map((name) => theme.models[model_of(name) ?? ''] ?? theme.others[0]), style = axis_style(theme);
      const x = value_axis({ name: 'time', unit: 's', log: true }, list.flatMap((one) => [one.low, one.high]), theme, Math.max(3, Math.floor((size.width - label_width) / 80)));
      return {
        animation: false,
        grid: { left: label_width, right: 16, top: 8, bottom: 44, outerBoundsMode: 'none' },
        xAxis: { ...x, nameLocation: 'middle', nameGap: 26 },
        yAxis: { ...style, type: 'category', inverse: true, data: names.map((_, i) => String(i)), axisTick: { show: false }, splitLine: { show: false },
          axisLabel: { ...style.axisLabel, interval: 0, hideOverlap: false, width: label_width - 10, overflow: 'truncate', formatter: (value) => names[Number(value)] ?? '' } },
        tooltip: { trigger: 'item', formatter: (shown) => {
          const one = list[shown.data?.at];
          return one ? tip(one.name, [{ name: 'median', value: format(one.median, 's') }, { name: 'least', value: format(one.low, 's') }, { name: 'most', value: format(one.high, 's') }], `${one.samples} samples`) : '';
        } },
        series: [{
          type: 'custom', name: 'strips', clip: true, dimensions: ['low', 'row', 'high'], encode: { x: [0, 2], y: 1 },
          data: list.map((one, at) => ({ value: [Math.log10(one.low), at, Math.log10(one.high)], at })),
          renderItem: (params, api) => {
            const one = list[params.dataIndexInside], most = Math.max(...one.counts);
            const [left, middle] = api.coord([Math.log10(one.low), params.dataIndexInside]), right = api.coord([Math.log10(one.high), params.dataIndexInside])[0];
            const width = Math.max(3, right - left) / one.counts.length, half = 15, children = [];
            one.counts.forEach((count, i) => {
              if (count === 0) return;
              const height = Math.max(1.5, 2 * half * count / most);
              children.push({ type: 'rect', shape: { x: left + i * width, y: middle + half - height, width: Math.max(1, width - 0.5), height }, style: { fill: colors[params.dataIndexInside] } });
            });
            const at = api.coord([Math.log10(one.median), params.dataIndexInside])[0];
            children.push({ type: 'line', shape: { x1: at, y1: middle - half - 1, x2: at, y2: middle + half + 1 }, style: { stroke: theme.text, lineWidth: 1.6 } });
            children.push({ type: 'line', shape: { x1: left, y1: middle + half, x2: Math.max(right, left + 3), y2: middle + half }, style: { stroke: theme.soft, lineWidth: 1 } });
            return { type: 'group', children };
          },
        }],
      };
    },
  };
}
