// Writes a page in the program's format from generated data, with rare cases: HTML in names, values that no axis can
// show, and many lines. Usage: node test/sample-page.mjs page.html
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const file = (path) => join(here, '..', path);
export const hostile = '</script><img src=x onerror="window.hacked=1">';

const escape = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const sizes = [7936, 130560, 1310720, 9437184];
const models = { serial: 1, openmp: 2, 'cpu library': 3, openacc: 60, cuda: 90, 'gpu library': 110 };
const speedup = (model, n) => (models[model] === 1 ? 1 : models[model] * (n / (n + 2e6 / (60 / models[model])))) ** 0.98;
const around = (value, share = 0.08) => [value * (1 - share), value * (1 + share)];

function figure(id, caption, spec) {
  return `<figure class="chart" id="${id}" data-chart>\n<figcaption>${escape(caption)}</figcaption>\n<div class="canvas" role="img" aria-label="${escape(caption)}; the table holds the numbers."></div>\n<script type="application/json">${JSON.stringify(spec).replaceAll('<', '\\u003c')}</script>\n</figure>\n`;
}

function table(name, title, columns, rows) {
  const head = columns.map(([text, type]) => `<th scope="col" data-type="${type}">${escape(text)}</th>`).join('');
  const cell = (value) => (Array.isArray(value) ? `<td class="n" data-v="${escape(value[0])}">${escape(value[1])}</td>` : value === null ? '<td class="n">–</td>' : `<td>${escape(value)}</td>`);
  return `<div class="table"><div class="box" tabindex="0" role="region" aria-label="${title}"><table class="data" data-sort>\n<caption>${title}</caption>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n')}\n</tbody></table></div>\n<button type="button" data-csv="${name}.csv">CSV</button></div>\n`;
}

const kernels = ['copy', 'scale', 'add', 'triad', 'stencil1d', 'stencil2d', 'stencil3d', 'matvec', 'matmul', 'stride16', 'spmv', hostile];

export function figures() {
  const list = {};
  list.speedup = ['Speed-up over serial: triad, float', {
    kind: 'lines', x: { name: 'N', unit: '', log: true }, y: { name: 'speed-up', unit: '', log: true },
    series: [...Object.keys(models).map((name) => ({ name, points: sizes.map((n) => [n, speedup(name, n), ...around(speedup(name, n))]) })),
      { name: 'openacc, published (RTX 3080)', points: sizes.map((n) => [n, speedup('openacc', n) * 0.7, null, null]) },
      { name: 'cuda, published (RTX 3080)', points: sizes.map((n) => [n, speedup('cuda', n) * 0.6, null, null]) }],
  }];
  list.rate = ['Bandwidth: triad, float', {
    kind: 'lines', x: { name: 'N', unit: '', log: true }, y: { name: 'bandwidth', unit: 'B/s', log: true },
    series: [...Object.keys(models).map((name) => ({ name, points: sizes.map((n) => [n, 1e10 * speedup(name, n), ...around(1e10 * speedup(name, n), 0.2)]) })),
      { name: 'ceiling of the CPU', points: sizes.map((n) => [n, 8e10, null, null]) }, { name: 'ceiling of the GPU', points: sizes.map((n) => [n, 3.3e12, null, null]) }],
  }];
  list.copies = ['Time of the copies: triad, float', {
    kind: 'lines', x: { name: 'N', unit: '', log: true }, y: { name: 'time', unit: 's', log: true },
    series: ['CUDA, in', 'CUDA, out', 'CUDA, pinned, in', 'CUDA, pinned, out', 'OpenACC, in', 'OpenACC, out'].map((name, i) => ({ name, points: sizes.map((n) => [n, 8e-6 + (n * 4) / (1e10 * (1 + i)), null, null]) })),
  }];
  list.dense = ['Many sizes, linear axis, bands', {
    kind: 'lines', x: { name: 'N', unit: '', log: false }, y: { name: 'time', unit: 's', log: false },
    series: ['cuda', 'openmp'].map((name, j) => ({ name, points: Array.from({ length: 80 }, (_, i) => { const y = 1e-6 * (3 + i * (0.05 + j * 0.1) + Math.sin(i)); return [1000 * i, y, y * 0.9, y * 1.1]; }) })),
  }];
  list.holes = ['Zero, missing and negative values on logarithmic axes', {
    kind: 'lines', x: { name: 'N', unit: '', log: true }, y: { name: 'time', unit: 's', log: true },
    series: [{ name: hostile, points: [[0, 1, null, null], [10, 0, null, null], [100, null, null, null], [1000, 3e-6, 0, 5e-6], [10000, -1, null, null], [100000, 5e-6, null, null]] }, { name: '__proto__', points: [[1000, 1e-5, 1e-5, 'x']] }, { name: 'constructor', points: [] }],
  }];
  list.nothing = ['No value fits', { kind: 'lines', x: { name: 'N', unit: '', log: true }, y: { name: 'time', unit: 's', log: true }, series: [{ name: 'cuda', points: [[0, 0, null, null]] }] }];
  list.two = ['Two sizes make no curve; the reference has a line', { kind: 'lines', x: { name: 'N', unit: '', log: true }, y: { name: 'speed-up', unit: '', log: true }, reference: 1, series: [{ name: 'cuda', points: [[1000, 2, 1.9, 2.1], [8000, 4, 3.9, 4.1]] }] }];
  list.scaling = ['Speed-up over one part, and on by a model', {
    kind: 'lines', x: { name: 'parts', unit: '', log: true }, y: { name: 'speed-up', unit: '', log: true }, model_from: 4,
    series: [{ name: 'openmp.mpi', points: [[1, 1, null, null], [2, 1.9, 1.8, 2], [4, 3.5, 3.4, 3.6]] },
      { name: 'ideal', role: 'ideal', points: [[1, 1, null, null], [1024, 1024, null, null]] },
      { name: 'model', role: 'model', points: [[4, 3.6, 3.4, 3.7], [64, 40, 35, 44], [1024, 300, 200, 350]] }],
  }];
  list.dots = ['The best of each model', {
    kind: 'dots', x: { name: 'times the best CPU version', unit: '', log: true }, names: [...kernels, 'geometric mean'], strong: 1, reference: 1,
    panels: ['data stay where they are used', 'with the copies of a single use'].map((name, j) => ({
      name, series: ['serial', 'openmp', 'openacc', 'cuda'].map((model, i) => ({ name: model, dots: [...kernels, ''].map((_, row) => [row, (i + 0.3) * (1 + 0.1 * row) / (1 + j), null, null, i === 3 && row === 2 && j === 0 ? 1 : 0, `${model}.best`]) })),
    })),
  }];
  list.strips = ['Samples', { kind: 'strips', strips: [['serial.native', 1e-6, 2e-6, 1.2e-6, 1000, '05az8531001'], [hostile, 3e-6, 3e-6, 3e-6, 1, 'z'], ['none', null, 0, 1, 0, '']] }];
  list.space = ['A space of tunings', { kind: 'parallel', axes: ['block_x', 'block_y', 'depth'], lines: [[1, 32, 4, 2], [1.5, 64, 4, 2], [3, 32, 8, 1], [2, 64, 8, 1]] }];
  list.chosen = ['One of two', { kind: 'choice', names: ['over serial', hostile], specs: [list.speedup[1], list.two[1]] }];
  const classes = ['S', 'W', 'A'];
  list.bars = ['Speed-up by class', {
    kind: 'bars', categories: classes, stacked: false, y: { name: 'speed-up', unit: '', log: false },
    series: [{ name: 'openmp', values: [1.8, 1.9, 2.1], low: [1.7, 1.8, 2], high: [1.9, 2, 2.2] }, { name: 'cuda', values: [0.4, 8, 35], low: [0.3, 7, 33], high: [0.5, 9, 36] }, { name: 'openacc', values: [0, null, 20] }],
  }];
  const split = kernels.flatMap((kernel) => ['openacc', 'cuda'].map((model) => `${kernel} float, ${model}, 9437184`));
  const parts = [[0.1, 0.4, 0.2, 0.3], [0.05, 0.55, 0.1, 0.3], [0.02, 0.2, 0.7, 0.08]];
  list.stacked = ['How the time of a whole pass splits', {
    kind: 'bars', categories: split, stacked: true, y: { name: 'share of the sum', unit: '', log: false },
    series: ['allocation', 'copy in', 'kernel', 'copy out'].map((name, i) => ({ name, values: split.map((_, j) => parts[j % 3][i]) })),
  }];
  const cells = (transfers) => kernels.flatMap((_, y) => sizes.map((_, x) => {
    const winner = transfers ? (x < 3 ? 1 : 3) : x === 0 ? (y % 3 === 0 ? 5 : 1) : y % 4 === 3 ? 4 : 3;
    const label = winner === 5 ? 'serial = openmp' : ['serial', 'openmp', 'openacc', 'cuda', 'gpu library'][winner];
    return [x, y, winner, label, `${label}, 12.3 µs, 4.5x the best CPU version`];
  }));
  list.wins = ['The fastest model at each kernel and size', {
    kind: 'heatmap', x: sizes.map(String), y: kernels.map((kernel) => `${kernel} float`), scale: { type: 'categorical', names: ['serial', 'openmp', 'openacc', 'cuda', 'gpu library', 'tie'] },
    layers: [{ name: 'without transfers', cells: cells(false) }, { name: 'with transfers', cells: cells(true) }],
  }];
  const blocks = ['block_x=16 block_y=16', 'block_x=32 block_y=4', 'block_x=32 block_y=8', 'block_x=64 block_y=4', 'block_x=128 block_y=2', 'block_x=8 block_y=8'];
  list.tuning = ['Time over the best tuning of the size: matmul', {
    kind: 'heatmap', x: sizes.map(String), y: blocks, scale: { type: 'continuous', name: 'time over the best', unit: '', log: true },
    layers: [{ name: 'time over the best of the size', cells: blocks.flatMap((block, y) => sizes.map((_, x) => { const over = 1 + ((x + 2 * y) % 7) * 0.35; return [x, y, over, `${over.toFixed(2)}x`, `${block} at ${sizes[x]}`]; })).concat([[0, 0, 0, 'zero', ''], [9, 9, 2, 'outside', '']]) }],
  }];
  list.roofline = ['Roofline of the GPU: measured bandwidths by footprint, arithmetic, transfer', {
    kind: 'roofline',
    roofs: [{ name: 'triad, 4.00 GiB', bandwidth: 4.1e12 }, { name: 'triad, 32.0 MiB', bandwidth: 7e12 }, { name: 'transfer, pinned', bandwidth: 5.5e10 }, { name: 'fp32', rate: 5.9e13 }, { name: 'fp64', rate: 3.1e13 }, { name: 'none', rate: 0 }],
    series: [{ name: 'openacc', points: [[0.083, 2.1e11, 'add float, 9437184, openacc.gang', 2e11, 2.2e11], [0.25, 6e11, 'stencil3d float, 9437184', null, null]] },
      { name: 'cuda', points: [[0.083, 3.1e11, 'add float, 9437184, cuda.stream', 3e11, 3.2e11], [0.17, 6e11, 'triad float, 9437184', null, null], [0.6, 2.2e12, 'stencil2d float', null, null], [512, 4e13, 'matmul float, 9437184', 3.8e13, 4.2e13], [512, 2e8, 'matmul float, 7936', null, null], [0, 0, 'copy', null, null]] },
      { name: 'gpu library', points: [[512, 5.2e13, 'matmul float, 9437184, library.cublas', null, null]] }],
  }];
  list.amdahl = ['Speed-up of the whole program', {
    kind: 'amdahl', share: 0.8,
    cases: [{ name: 'triad float, 9437184, cuda over serial.baseline', baseline_seconds: 8e-3, kernel_seconds: 6e-5, transfer_seconds: 9e-3 }, { name: 'triad float, 9437184, openmp over serial.baseline', baseline_seconds: 8e-3, kernel_seconds: 4e-3, transfer_seconds: 0 }, { name: `${hostile} slower`, baseline_seconds: 1e-6, kernel_seconds: 5e-6, transfer_seconds: 1e-5 }],
  }];
  return list;
}

/** @param {{figures?: Record<string, [string, any]>, extra?: string}} [what] */
export function sample_page(what = {}) {
  const css = file('../src/report/report.css');
  const style = existsSync(css) ? readFileSync(css, 'utf8') : '[hidden]{display:none}.canvas{height:22rem;overflow-x:auto}.canvas:empty{display:none}[data-charts] .canvas:empty{display:block}.box{overflow-x:auto}';
  const body = Object.entries(what.figures ?? figures()).map(([id, [caption, spec]]) => figure(id, caption, spec)).join('');
  const rows = kernels.map((kernel, i) => [kernel, i === 3 ? null : [String((i * 7.5 % 5) / 1e6), `${(i * 7.5 % 5).toFixed(2)} µs`], i % 2 ? 'a "quoted", one' : 'plain']);
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; font-src data:">
<title>Sample</title><style>
${style}</style></head>
<body><header><p class="brand">Sextant</p><nav aria-label="Sections"><ul><li><a href="#main">Results</a></li></ul></nav><button type="button" id="theme" hidden>Theme</button></header>
<main id="main"><h1>${escape(hostile)}</h1>
${table('times', 'Times', [['kernel', 'text'], ['time', 'number'], ['note', 'text']], rows)}
${body}
<details id="closed"><summary>More</summary>${figure('inside', 'In a closed part', figures().speedup[1])}</details>
${what.extra ?? ''}
</main>
<script>
${readFileSync(process.env.REPORT_JS ?? file('dist/report.js'), 'utf8')}
</script></body></html>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(process.argv[2] ?? '/dev/stdout', sample_page());
