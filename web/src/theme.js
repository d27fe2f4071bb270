// Colours of the page, light and dark, and of the models. Each model has a fixed colour and a symbol; the colours also
// differ for readers with colour blindness. The hues are from M. Okabe and K. Ito, "Color Universal Design", 2008,
// lighter or darker to suit the background.

/** @typedef {{dark: boolean, text: string, soft: string, line: string, back: string, models: Record<string, string>, others: string[]}} Theme */
/** @typedef {{color: string, dash: number[]|null, symbol: string, width: number, opacity: number, hollow: boolean}} Style */

const light_models = { serial: '#6b7480', openmp: '#0072b2', stdpar: '#7a5cc2', 'cpu library': '#56b4e9', openacc: '#d98200', target: '#b3361e', cuda: '#00875f', 'gpu library': '#c1578f', tie: '#c9d0d8' };
const dark_models = { serial: '#a3adb8', openmp: '#3f9be0', stdpar: '#a78ff0', 'cpu library': '#9ad3f7', openacc: '#f0a630', target: '#f0705a', cuda: '#1fbf90', 'gpu library': '#df8ab8', tie: '#4a535e' };
const light_others = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8a7a00', '#6b7480'];
const dark_others = ['#3f9be0', '#f0b840', '#1fbf90', '#df8ab8', '#9ad3f7', '#f07f3c', '#e6d94a', '#a3adb8'];
/** SVG paths in a 16 x 16 square, for charts and legends. */
export const shapes = {
  circle: 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13z', square: 'M2 2h12v12h-12z', triangle: 'M8 1.5l7 13h-14z', diamond: 'M8 0.5l7.5 7.5l-7.5 7.5l-7.5-7.5z',
  cross: 'M5.5 1h5v4.5h4.5v5h-4.5v4.5h-5v-4.5h-4.5v-5h4.5z', hexagon: 'M8 0.5l6.5 3.75v7.5l-6.5 3.75l-6.5-3.75v-7.5z', wedge: 'M8 14.5l7-13h-14z', pentagon: 'M8 0.8l7.4 5.4l-2.8 8.8h-9.2l-2.8-8.8z',
};
const symbols = { serial: 'circle', openmp: 'square', stdpar: 'hexagon', 'cpu library': 'pentagon', openacc: 'triangle', target: 'cross', cuda: 'diamond', 'gpu library': 'wedge' };
const other_symbols = ['circle', 'square', 'triangle', 'diamond', 'wedge', 'pentagon'];
const dashes = [null, [6, 4], [2, 3], [8, 3, 2, 3], [12, 4]];

/** A symbol in the form that ECharts expects. @param {string} symbol a name in shapes, or none */
export const symbol_path = (symbol) => (shapes[symbol] ? `path://${shapes[symbol]}` : 'none');

/** Colours of the parts of an execution, as indices: both copies are similar, the kernel differs. */
const parts = { allocation: 7, 'copy in': 4, kernel: 2, 'copy out': 0 };

/** True for the dark theme. @returns {boolean} */
export function is_dark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** @param {boolean} dark @returns {Theme} */
export function theme_of(dark) {
  return dark
    ? { dark, text: '#e6eaef', soft: '#9aa4af', line: '#2c343d', back: '#0e1116', models: dark_models, others: dark_others }
    : { dark, text: '#1c2128', soft: '#59636e', line: '#e2e7ec', back: '#ffffff', models: light_models, others: light_others };
}

/** The model of a series, category or variant ("cuda.shared", "CUDA, pinned, in"). @param {string} name */
export function model_of(name) {
  const text = name.toLowerCase();
  for (const model of ['gpu library', 'cpu library', 'serial', 'openmp', 'stdpar', 'openacc', 'target', 'cuda', 'tie'])
    if (text === model || (text.startsWith(model) && /[^a-z0-9_-]/.test(text[model.length]))) return model;
  return text === 'library' || text.startsWith('library.') ? 'gpu library' : null;
}

/** Styles of a figure's series, in order. Series of the same model differ in their dashes. @param {string[]} names @param {Theme} theme @returns {Style[]} */
export function styles_of(names, theme) {
  const seen = new Map();
  let others = 0;
  // More than three variants of a model differ in colour and symbol instead of dashes.
  const variants = new Map();
  for (const name of names) if (/^\w+\.\w/.test(name)) variants.set(model_of(name), (variants.get(model_of(name)) ?? 0) + 1);
  const crowded = Math.max(0, ...variants.values()) > 3;
  return names.map((name) => {
    if (/^(ceiling|limit)\b/i.test(name)) {
      const nth = seen.get('ceiling') ?? 0;
      seen.set('ceiling', nth + 1);
      return { color: theme.soft, dash: nth ? [2, 4] : [8, 4], symbol: 'none', width: 1.5, opacity: 0.9, hollow: false };
    }
    const model = crowded && /^\w+\.\w/.test(name) ? null : model_of(name);
    if (model) {
      const nth = seen.get(model) ?? 0;
      seen.set(model, nth + 1);
      const published = /\bpublished\b/i.test(name);
      return { color: theme.models[model], dash: published ? [2, 4] : dashes[nth % dashes.length], symbol: symbols[model] ?? 'circle', width: published ? 1.5 : 2, opacity: published ? 0.75 : 1, hollow: published || nth > 0 };
    }
    const fixed = Object.hasOwn(parts, name) ? parts[name] : others++;
    const turn = Math.floor(fixed / theme.others.length);
    return { color: theme.others[fixed % theme.others.length], dash: dashes[turn % dashes.length], symbol: other_symbols[fixed % other_symbols.length], width: 2, opacity: 1, hollow: turn > 0 };
  });
}

/** Mixes two colours. @param {string} from "#rrggbb" @param {string} to "#rrggbb" @param {number} share of the second */
export function mix(from, to, share) {
  const part = (color, at) => parseInt(color.slice(at, at + 2), 16);
  return `#${[1, 3, 5].map((at) => Math.round(part(from, at) * (1 - share) + part(to, at) * share).toString(16).padStart(2, '0')).join('')}`;
}

/** A text colour with good contrast on a background. @param {string} color "#rrggbb" */
export function text_on(color) {
  const channel = (i) => {
    const value = parseInt(color.slice(i, i + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return (luminance + 0.05) / 0.057 > 1.05 / (luminance + 0.05) ? '#10151b' : '#ffffff'; // picks the greater contrast
}

// Steps of viridis (S. van der Walt and N. Smith, 2015; public domain), from light to dark.
const scale = ['#fde725', '#b5de2b', '#6ece58', '#35b779', '#1f9e89', '#26828e', '#31688e', '#3e4989', '#482878'];

/** @param {number} share 0: light, 1: dark */
export function scale_color(share) {
  const place = Math.min(1, Math.max(0, share)) * (scale.length - 1);
  const i = Math.min(scale.length - 2, Math.floor(place));
  const mix = (at) => Math.round(parseInt(scale[i].slice(at, at + 2), 16) * (1 - place + i) + parseInt(scale[i + 1].slice(at, at + 2), 16) * (place - i));
  return `#${[1, 3, 5].map((at) => mix(at).toString(16).padStart(2, '0')).join('')}`;
}
export const scale_gradient = `linear-gradient(to right, ${scale.join(', ')})`;
