// Whiskers and bands: the intervals of points. Each is a separate series with the name of its data series, so that the
// legend hides both.

const dimensions = ['x', 'low', 'high'];

/** @param {string} id the data series @param {[number, number, number][]} intervals in axis coordinates @param {import('./theme.js').Style} style @param {boolean} [flat] along x */
export function whiskers(id, intervals, style, flat = false, shift = null) {
  return {
    type: 'custom', name: id, silent: true, z: 3, clip: true, dimensions, data: intervals, tooltip: { show: false },
    encode: flat ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
    renderItem: (_, api) => {
      const moved = shift ? shift(api) : 0;
      const at = (value) => {
        const [x, y] = flat ? api.coord([value, api.value(0)]) : api.coord([api.value(0), value]);
        return flat ? [x, y + moved] : [x + moved, y];
      };
      const [x1, y1] = at(api.value(1)), [x2, y2] = at(api.value(2));
      const stroke = { stroke: style.color, lineWidth: 1.2, opacity: style.opacity };
      const line = (a, b, c, d) => ({ type: 'line', shape: { x1: a, y1: b, x2: c, y2: d }, style: stroke });
      const cap = 3.5;
      return { type: 'group', children: flat
        ? [line(x1, y1, x2, y2), line(x1, y1 - cap, x1, y1 + cap), line(x2, y2 - cap, x2, y2 + cap)]
        : [line(x1, y1, x2, y2), line(x1 - cap, y1, x1 + cap, y1), line(x2 - cap, y2, x2 + cap, y2)] };
    },
  };
}

/** An interval band, for series with many points. @param {string} id the data series @param {[number, number, number][]} intervals in the order of x @param {import('./theme.js').Style} style */
export function band(id, intervals, style) {
  return {
    type: 'custom', name: id, silent: true, z: 1, clip: true, dimensions, data: [intervals[0]], tooltip: { show: false }, encode: { x: 0, y: [1, 2] },
    renderItem: (_, api) => ({
      type: 'polygon', style: { fill: style.color, opacity: 0.2 },
      shape: { points: [...intervals.map(([x, , high]) => api.coord([x, high])), ...intervals.map(([x, low]) => api.coord([x, low])).reverse()] },
    }),
  };
}
