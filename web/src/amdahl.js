// Speed-up of a whole program. The reader chooses a case, the kernel's share of the program, the number of kernel
// executions per transfer, and the law.
import { frame, value_axis } from './axes.js';
import { make, tip } from './dom.js';
import { amdahl as amdahl_law, break_even, gustafson, speedup_with_reuse } from './laws.js';
import { drawable, format } from './units.js';

const steps = 100;
const most_reuses = 1e6;

/** @param {any} spec @param {{redraw: () => void}} figure @returns {import('./figure.js').View} */
export function amdahl(spec, figure) {
  const cases = spec.cases.filter((one) => drawable(one.baseline_seconds, true) && drawable(one.kernel_seconds, true))
    .map((one) => ({ name: String(one.name), baseline: one.baseline_seconds, kernel: one.kernel_seconds, transfer: drawable(one.transfer_seconds) ? Math.max(0, one.transfer_seconds) : 0 }));
  const state = { at: 0, share: Math.min(1, Math.max(0, drawable(spec.share) ? spec.share : 0.8)), reuses: 1, law: 'amdahl' };

  const field = (label, input, shown) => make('label', { class: 'field' }, make('span', {}, label, ' ', shown ?? ''), input);
  const choice = make('select', { 'data-input': 'case' }, ...cases.map((one, i) => make('option', { value: String(i) }, one.name)));
  const share_text = make('b'), reuse_text = make('b'); // <b>, because a label would belong to an <output> instead of the input
  const share = make('input', { type: 'range', min: '0', max: '100', step: '1', value: String(Math.round(100 * state.share)), 'data-input': 'share' });
  const reuse = make('input', { type: 'range', min: '0', max: '60', step: '1', value: '0', 'data-input': 'reuses' });
  const law = make('select', { 'data-input': 'law' }, make('option', { value: 'amdahl' }, 'Amdahl: same work'), make('option', { value: 'gustafson' }, 'Gustafson: work grows'));
  const words = make('p', { class: 'words', 'aria-live': 'polite' });

  const speedups = () => {
    const one = cases[state.at];
    return { resident: one.baseline / one.kernel, copied: speedup_with_reuse(one.baseline, one.kernel, one.transfer, state.reuses), has_copies: one.transfer > 0 };
  };
  const whole = (part, speedup) => (state.law === 'amdahl' ? amdahl_law(part, speedup) : gustafson(part, speedup));
  const times = (count) => `${format(count, '')} ${count === 1 ? 'use' : 'uses'}`;

  function describe() {
    const one = cases[state.at], { resident, copied, has_copies } = speedups();
    const even = break_even(one.baseline, one.kernel, one.transfer);
    share_text.textContent = `${Math.round(100 * state.share)} %`;
    reuse_text.textContent = format(state.reuses, '');
    const gain = (speedup) => `${format(whole(state.share, speedup), '', false)}×`;
    words.textContent = `The kernel alone is ${format(resident, '')}× as fast. As ${Math.round(100 * state.share)} % of the program it makes the whole ` +
      (has_copies ? `${gain(copied)} as fast with its copies spread over ${times(state.reuses)} of the data, ${gain(resident)} with the data already there` : `${gain(resident)} as fast`) +
      (state.law === 'amdahl' ? ` (an infinitely fast kernel: ${state.share < 1 ? `${format(1 / (1 - state.share), '')}×` : 'no limit'}). ` : '. ') +
      (!has_copies ? '' : even === null ? 'Its copies never pay.' : even === 1 ? 'Its copies pay at the first use.' : `Its copies pay from ${times(even)} on.`);
  }
  const change = (input, act) => input.addEventListener('input', () => {
    act();
    describe();
    figure.redraw();
  });
  change(choice, () => (state.at = Number(choice.value)));
  change(share, () => (state.share = Number(share.value) / 100));
  change(reuse, () => {
    const exact = 10 ** (Number(reuse.value) / 10);
    state.reuses = Math.min(most_reuses, exact < 10 ? Math.round(exact) : Number(exact.toPrecision(2)));
  });
  change(law, () => (state.law = law.value));
  if (cases.length) describe();

  const colors = (theme) => [theme.models.cuda, theme.models.openacc, theme.soft];
  const style = (color, dash) => ({ color, dash, symbol: 'none', width: 2, opacity: 1, hollow: false });
  return {
    empty: cases.length === 0,
    get legend() {
      const { has_copies } = speedups();
      return [{ id: 's0', name: has_copies ? 'data on the device' : 'program' }, ...(has_copies ? [{ id: 's1', name: 'with copies' }] : []),
        ...(state.law === 'amdahl' ? [{ id: 's2', name: 'limit: the kernel takes no time' }] : [])];
    },
    swatch: 'line',
    styles(theme) {
      const all = { s0: style(colors(theme)[0], null), s1: style(colors(theme)[1], [8, 3]), s2: style(colors(theme)[2], [2, 3]) };
      return this.legend.map(({ id }) => all[id]);
    },
    controls: [make('div', { class: 'fields' }, field('Case', choice), field('Share of the program', share, share_text), ...(cases.some((one) => one.transfer > 0) ? [field('Uses of the data on the device', reuse, reuse_text)] : []), field('Law', law)), words],
    option(theme, size) {
      const { resident, copied, has_copies } = speedups(), small = size.width < 480;
      const color = colors(theme);
      const curves = [
        { id: 's0', name: 'data on the device', of: (part) => whole(part, resident), dash: 'solid' },
        ...(has_copies ? [{ id: 's1', name: 'with copies', of: (part) => whole(part, copied), dash: [8, 3] }] : []),
        ...(state.law === 'amdahl' ? [{ id: 's2', name: 'limit', of: (part) => (part < 1 ? 1 / (1 - part) : NaN), dash: [2, 3] }] : []),
      ];
      const top = Math.max(whole(1, resident), whole(1, copied), 1.5), bottom = Math.min(whole(1, resident), whole(1, copied), 1);
      const x = value_axis({ name: "kernel's share of the program", unit: '%', log: false }, [0, 1], theme);
      const y = value_axis({ name: 'speed-up of the program', unit: '', log: true }, [bottom, top], theme);
      Object.assign(x, { min: 0, max: 1 });
      return {
        ...frame(x, y, small),
        animation: false,
        tooltip: {
          trigger: 'axis', axisPointer: { type: 'line', label: { show: false } },
          formatter: (shown) => {
            const rows = shown.filter((one) => one.seriesName.startsWith('s') && Number.isFinite(one.data?.[1]));
            if (rows.length === 0) return '';
            return tip(`share ${format(rows[0].data[0], '%')}`, rows.map((one) => {
              const curve = curves.find((each) => each.id === one.seriesName);
              return { name: curve.name, value: `${format(curve.of(one.data[0]), '')}×`, color: color[Number(curve.id[1])] };
            }));
          },
        },
        series: [
          ...curves.map((curve) => ({
            type: 'line', name: curve.id, symbol: 'none', clip: true, lineStyle: { color: color[Number(curve.id[1])], width: 2, type: curve.dash },
            data: Array.from({ length: steps + 1 }, (_, i) => [i / steps, Math.log10(curve.of(i / steps))]).filter(([, value]) => Number.isFinite(value)),
          })),
          {
            type: 'scatter', name: 'chosen', silent: true, z: 5, symbolSize: 11, tooltip: { show: false },
            label: { show: true, position: 'top', color: theme.text, fontSize: 12, fontWeight: 'bold', textBorderColor: theme.back, textBorderWidth: 3, formatter: (shown) => `${format(10 ** shown.value[1], '')}×` },
            data: curves.filter((curve) => curve.id !== 's2').map((curve) => ({ value: [state.share, Math.log10(curve.of(state.share))], itemStyle: { color: color[Number(curve.id[1])], borderColor: theme.back, borderWidth: 2 } })),
            labelLayout: { hideOverlap: true },
          },
        ],
      };
    },
  };
}
