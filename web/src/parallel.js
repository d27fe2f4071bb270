// A space of more than two tunables, as parallel coordinates: one axis per tunable and one line per tuning. The last axis
// is the time. Fast tunings have the strongest colour.
import { axis_style } from './axes.js';
import { make, tip } from './dom.js';
import { scale_color } from './theme.js';
import { drawable, format } from './units.js';

/** @param {any} spec @param {{width: number}} figure @returns {import('./figure.js').View} */
export function parallel(spec, figure) {
  const axes = [...spec.axes.map(String), 'time over the best'];
  const lines = spec.lines.filter((line) => line.length === axes.length && line.every((value) => drawable(value)) && line[0] > 0)
    .map(([value, ...choices]) => ({ value, choices })).sort((a, b) => b.value - a.value); // the fastest last, so that it is drawn on top
  const most = Math.max(...lines.map((line) => line.value), 1.0001);
  const kinds = axes.slice(0, -1).map((_, i) => [...new Set(lines.map((line) => line.choices[i]))].sort((a, b) => a - b));
  const height_of = (line, i) => (i < kinds.length ? (kinds[i].length > 1 ? kinds[i].indexOf(line.choices[i]) / (kinds[i].length - 1) : 0.5) : Math.log(line.value) / Math.log(most));
  const share = (line) => 1 - Math.log(line.value) / Math.log(most);
  return {
    empty: lines.length === 0,
    legend: [],
    swatch: 'fill',
    styles: () => [],
    controls: [make('div', { class: 'scale' }, `A line a tuning, the three fastest thick; 1 to ${format(most, '', true)} times the best.`)],
    height: 300,
    min_width: Math.min(axes.length * 90, 720),
    option(theme) {
      const style = axis_style(theme);
      return {
        animation: false,
        grid: { left: 44, right: 60, top: 14, bottom: 34, outerBoundsMode: 'none' },
        xAxis: { ...style, type: 'category', boundaryGap: false, data: axes.map((_, i) => String(i)), axisTick: { show: false }, splitLine: { show: true, lineStyle: { color: theme.soft } },
          axisLabel: { ...style.axisLabel, interval: 0, hideOverlap: false, formatter: (value) => axes[Number(value)] } },
        yAxis: { type: 'value', min: 0, max: 1, show: false },
        tooltip: { trigger: 'item', formatter: (shown) => {
          const line = lines[shown.data?.at];
          return line ? tip(`${format(line.value, '')}× the best`, line.choices.map((choice, i) => ({ name: axes[i], value: String(choice) }))) : '';
        } },
        series: [{
          type: 'custom', name: 'lines', dimensions: ['x', 'y'], encode: { x: 0, y: 1 }, data: lines.map((line, at) => ({ value: [0, height_of(line, 0)], at })),
          renderItem: (params, api) => {
            const line = lines[params.dataIndexInside];
            return { type: 'polyline', shape: { points: axes.map((_, i) => api.coord([i, height_of(line, i)])) }, style: { fill: 'none', stroke: scale_color(theme.dark ? 1 - share(line) : share(line)), lineWidth: params.dataIndexInside >= lines.length - 3 ? 3 : 1.2, opacity: 0.85 } };
          },
        }, {
          type: 'custom', name: 'choices', silent: true, z: 5, tooltip: { show: false }, data: axes.flatMap((_, i) => (i < kinds.length ? kinds[i].map((kind, at) => [i, kinds[i].length > 1 ? at / (kinds[i].length - 1) : 0.5, kind]) : [[i, 0, 1], [i, 1, Number(most.toPrecision(3))]])), dimensions: ['x', 'y', 'kind'], encode: { x: 0, y: 1 },
          renderItem: (_, api) => {
            const [x, y] = api.coord([api.value(0), api.value(1)]);
            return { type: 'text', x: x + 4, y, style: { text: String(api.value(2)), fill: theme.text, fontSize: 11, verticalAlign: 'middle', stroke: theme.back, lineWidth: 3 } };
          },
        }],
      };
    },
  };
}
