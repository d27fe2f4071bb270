// Bundles src/main.js with the parts of ECharts that it uses into dist/report.js, the licences of what is in it at
// the end, and writes those also to dist/LICENSES.txt: node build.mjs [folder instead of dist]
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ? resolve(process.argv[2]) : join(here, 'dist');
const modules = join(here, 'node_modules');

/** @param {string} path below node_modules */
const text = (path) => readFileSync(join(modules, path), 'utf8').replaceAll('\r\n', '\n').trim();
/** @param {string} name */
const version = (name) => JSON.parse(text(`${name}/package.json`)).version;

const licences = [
  ['Apache ECharts', 'echarts', ['NOTICE', 'LICENSE', 'licenses/LICENSE-d3']],
  ['ZRender', 'zrender', ['LICENSE']],
  ['tslib', 'tslib', ['LICENSE.txt']],
].map(([title, name, files]) =>
  [`${title} ${version(name)}`, ...files.map((file) => text(`${name}/${file}`))].join('\n\n'));
const notice = `The figures of this page are drawn with the software below.\n\n${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
if (notice.includes('*/')) throw new Error('a licence holds the end of a comment');

const result = await build({
  entryPoints: [join(here, 'src/main.js')],
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2020'],
  charset: 'ascii',
  legalComments: 'none', // all of them are in the notice
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.css': 'text' },
  write: false,
  metafile: true,
  logLevel: 'warning',
});
for (const input of Object.keys(result.metafile.inputs)) {
  const package_ = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
  if (package_ && !['echarts', 'zrender', 'tslib'].includes(package_))
    throw new Error(`${package_} is in the bundle: its licence is missing here`);
}

const script = `${result.outputFiles[0].text}/*\n${notice.replaceAll(/[ \t]+$/gm, '')}*/\n`;
if (/<\/script|<!--/i.test(script)) throw new Error('the bundle would end the script element that holds it');
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'report.js'), script);
writeFileSync(join(out, 'LICENSES.txt'), notice.replaceAll(/[ \t]+$/gm, ''));
console.log(`report.js: ${Math.round(script.length / 1024)} KiB`);
