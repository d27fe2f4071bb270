// Roofline (S. Williams, A. Waterman and D. Patterson, 2009): arithmetic rate over FLOP per byte, both logarithmic. The
// measured bandwidths are sloping lines, the measured arithmetic rates are horizontal lines.
import { frame, value_axis } from './axes.js';
import { make, tip } from './dom.js';
import { whiskers } from './errors.js';
import { styles_of, symbol_path } from './theme.js';
import { drawable, format, with_interval } from './units.js';

const letter = 6.2, above = 15; // width of a letter and height of a line of text, in px

/** Places each line's name along its line, where it covers the fewest points and no other name. Uses the shorter text if
 * the longer one does not fit, and null if neither fits.
 * @param {{from: number[], to: number[], at_end: boolean, texts: string[]}[]} lines in pixels @param {number[][]} points in pixels
 * @returns {({text: string, x: number, y: number, rotation: number}|null)[]} position: the lower left corner of each text */
export function place_names(lines, points) {
  const taken = []; // points in the names that are already placed
  return lines.map(({ from, to, at_end, texts }) => {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const local = ([x, y]) => [(x - from[0]) * along[0] + (y - from[1]) * along[1], (x - from[0]) * along[1] - (y - from[1]) * along[0]]; // distances along the line and above it
    const near = points.map(local).filter(([, up]) => up > -6 && up < above + 6);
    const names = taken.map(local).filter(([, up]) => up > -above / 2 - 2 && up < 1.5 * above + 2);
    for (const text of texts) {
      const width = letter * text.length, room = length - width - 12;
      let best = null;
      for (let step = 0; step <= room; step += 6) {
        const start = 6 + (at_end ? room - step : step);
        const within = ([at]) => at > start - 7 && at < start + width + 7;
        if (names.some(within)) continue;
        const cost = near.filter(within).length + step / 1000; // of equal costs, the first position wins
        if (!best || cost < best.cost) best = { cost, start };
      }
      if (!best) continue;
      for (let at = 0; at <= width; at += letter) taken.push([from[0] + along[0] * (best.start + at) + along[1] * above / 2, from[1] + along[1] * (best.start + at) - along[0] * above / 2]);
      return { text, x: from[0] + along[0] * best.start + 3 * along[1], y: from[1] + along[1] * best.start - 3 * along[0], rotation: -Math.atan2(along[1], along[0]) };
    }
    return null;
  });
}

/** @param {any} spec @param {{width: number}} figure @returns {import('./figure.js').View} */
export function roofline(spec, figure) {
  const roofs = spec.roofs.map((roof) => ({ name: String(roof.name), slope: roof.rate === undefined, value: roof.rate ?? roof.bandwidth })).filter((roof) => drawable(roof.value, true));
  const series = spec.series.map((one, i) => ({
    id: `s${i}`, name: String(one.name),
    points: one.points.filter(([intensity, rate]) => drawable(intensity, true) && drawable(rate, true))
      .map(([intensity, rate, label, low, high]) => ({ intensity, rate, label: String(label ?? ''), low: drawable(low, true) ? low : null, high: drawable(high, true) ? high : null })),
  }));
  const points = series.flatMap((one) => one.points);
  const names = series.map((one) => one.name);
  const slopes = roofs.filter((roof) => roof.slope).sort((a, b) => b.value - a.value);
  const levels = roofs.filter((roof) => !roof.slope).sort((a, b) => b.value - a.value);

  // The visible range contains all points and the ridges where roofs meet.
  const ridges = slopes.flatMap((slope) => levels.map((level) => level.value / slope.value));
  const intensities = [...points.map((point) => point.intensity), ...ridges];
  if (intensities.length === 0) intensities.push(1);
  const left = Math.min(...intensities) / 3, right = Math.max(...intensities) * 3;
  const rates = [...points.flatMap((point) => [point.rate, point.low ?? point.rate, point.high ?? point.rate]), ...levels.map((level) => level.value)];
  if (levels.length === 0) rates.push(...slopes.map((slope) => slope.value * right));
  const memory = slopes.length ? slopes[slopes.length - 1].value * left : Math.min(...rates);
  const bottom = Math.min(...rates, Math.max(memory, Math.max(...rates) * 1e-5)) / 1.5, top = Math.max(...rates) * 2.2;

  const line_of = (roof) => {
    if (!roof.slope) return [[slopes.length ? Math.max(left, roof.value / slopes[0].value) : left, roof.value], [right, roof.value]];
    const end = Math.min(right, levels.length ? levels[0].value / roof.value : right, top / roof.value);
    const begin = Math.max(left, bottom / roof.value);
    return begin < end ? [[begin, begin * roof.value], [end, end * roof.value]] : null;
  };
  const log = (pair) => pair.map(Math.log10);
  // On a narrow figure, the names of the lines are above the chart.
  const unit = (roof) => (roof.slope ? 'B/s' : 'FLOP/s');
  const listed = (list) => list.map((roof) => `${roof.name} ${format(roof.value, unit(roof), true)}`).join('; ');
  const list_of_roofs = figure.width < 520 && roofs.length ? [make('p', { class: 'words' }, [levels.length ? `Level lines from the top: ${listed(levels)}.` : '', slopes.length ? `Slopes from the left: ${listed(slopes)}.` : ''].filter(Boolean).join(' '))] : [];
  return {
    empty: roofs.length === 0 && points.length === 0,
    legend: series.map(({ id, name }) => ({ id, name })),
    swatch: 'symbol',
    styles: (theme) => styles_of(names, theme),
    height: 420,
    controls: list_of_roofs,
    option(theme, size) {
      const styles = styles_of(names, theme), small = size.width < 520;
      const x = value_axis({ name: 'FLOP per byte', unit: '', log: true }, [left, right], theme, small ? 5 : 9);
      const y = value_axis({ name: 'arithmetic rate', unit: 'FLOP/s', log: true }, [bottom, top], theme);
      Object.assign(x, { min: Math.log10(left), max: Math.log10(right) });
      Object.assign(y, { min: Math.log10(bottom), max: Math.log10(top) });
      const unit_of = (roof) => (roof.slope ? 'B/s' : 'FLOP/s');
      const base = frame(x, y, small);
      const few = points.length <= 30 && size.width >= 700;
      const names_of_roofs = () => {
        const drawn = roofs.map((roof) => ({ roof, line: line_of(roof) })).filter(({ line }) => line);
        let places = [];
        return {
          type: 'custom', name: 'roofs', silent: true, z: 5, tooltip: { show: false }, data: drawn.map(({ line, roof }) => [...log(line[0]), ...log(line[1]), roof.value]),
          dimensions: ['x1', 'y1', 'x2', 'y2', 'value'], encode: { x: [0, 2], y: [1, 3] },
          renderItem: (params, api) => {
            if (params.dataIndexInside === 0)
              places = place_names(
                drawn.map(({ roof, line }) => ({
                  from: api.coord(log(line[0])), to: api.coord(log(line[1])), at_end: !roof.slope,
                  texts: [`${roof.name}  ${format(roof.value, unit_of(roof), true)}`, format(roof.value, unit_of(roof), true)],
                })),
                points.filter((point) => shown_points.has(point)).map((point) => api.coord(log([point.intensity, point.rate]))),
              );
            const place = places[params.dataIndexInside];
            if (!place) return { type: 'group', children: [] };
            return {
              type: 'text', x: place.x, y: place.y, rotation: place.rotation,
              style: { text: place.text, fill: theme.text, fontSize: 11, align: 'left', verticalAlign: 'bottom', stroke: theme.back, lineWidth: 3 },
            };
          },
        };
      };
      const shown_points = new Set(series.filter(({ id }) => size.shown?.includes(id) ?? true).flatMap((one) => one.points));
      return {
        ...base,
        tooltip: {
          trigger: 'item',
          formatter: (shown) => {
            const data = shown.data ?? {};
            if (data.roof) return tip(data.roof.name, [{ name: data.roof.slope ? 'bandwidth' : 'rate', value: format(data.roof.value, unit_of(data.roof)) }]);
            if (!data.point) return '';
            return tip(data.point.label, [{ name: names[data.series], value: with_interval(data.point.rate, data.point.low, data.point.high, 'FLOP/s'), color: styles[data.series].color }], `${format(data.point.intensity, '')} FLOP per byte`);
          },
        },
        series: [
          ...roofs.flatMap((roof, i) => {
            const line = line_of(roof);
            if (!line) return [];
            const data = line.map((pair) => ({ value: log(pair), roof }));
            return [{ type: 'line', name: `roof${i}`, z: 1, symbol: 'circle', symbolSize: 1, showAllSymbol: true, data, lineStyle: { color: theme.soft, width: 1.5, type: roof.slope ? 'solid' : [8, 4] }, itemStyle: { color: theme.soft }, triggerLineEvent: true }];
          }),
          names_of_roofs(),
          ...series.flatMap(({ id, points: list }, i) => {
            const style = styles[i];
            const intervals = list.filter((point) => point.low !== null || point.high !== null).map((point) => log([point.intensity, point.low ?? point.rate, point.high ?? point.rate]));
            const cloud = {
              type: 'scatter', name: id, z: 4, symbol: symbol_path(style.symbol), symbolSize: list.length > 200 ? 6 : 9,
              itemStyle: { color: style.hollow ? theme.back : style.color, borderColor: style.hollow ? style.color : theme.back, borderWidth: style.hollow ? 1.5 : 0.5 },
              label: { show: few, formatter: (shown) => shown.data.point.label, position: 'right', color: theme.soft, fontSize: 10, textBorderColor: theme.back, textBorderWidth: 2 }, labelLayout: { hideOverlap: true },
              data: list.map((point) => ({ value: log([point.intensity, point.rate]), point, series: i, label: { position: Math.log(point.intensity / left) > 0.6 * Math.log(right / left) ? 'left' : 'right' } })),
            };
            return intervals.length && points.length <= 200 ? [cloud, whiskers(id, intervals, style)] : [cloud];
          }),
        ],
      };
    },
  };
}
