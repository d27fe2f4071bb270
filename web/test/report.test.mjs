// Tests the report of a short run on this machine: SEXTANT=build/cpu/bin/sextant
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { download, drawn, eventually, launch, open, sideways } from './browser.mjs';

const program = process.env.SEXTANT;
const skip = program ? false : 'SEXTANT names no built program';
const folder = mkdtempSync(join(tmpdir(), 'sextant-report-'));
const page_file = join(folder, 'report.html'), results = join(folder, 'results.sextant');
let browser;

before(async () => {
  if (skip) return;
  const run = (...list) => execFileSync(program, list, { stdio: ['ignore', 'ignore', 'inherit'] });
  run('run', '-q', '-k', 'copy|triad|matmul', '-n', '7936,130560', '--samples', '5:10', '-o', results);
  run('report', results, '-o', page_file);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const on_page = (what, act, options) => test(what, { skip }, async () => {
  const opened = await open(browser, page_file, options);
  await act(opened);
  assert.deepEqual(opened.complaints, []);
  assert.deepEqual(opened.requests.filter((url) => !url.startsWith('blob:')), [`file://${page_file}`]);
  await opened.page.close();
});
// The script keeps only one kernel open. These tests open all of them.
const unfold = (page) => page.evaluate(async () => {
  document.querySelectorAll('details').forEach((each) => each.removeAttribute('name'));
  document.querySelectorAll('details.kernel').forEach((each) => each.classList.remove('kernel'));
  document.querySelectorAll('details').forEach((each) => (each.open = true));
  document.querySelectorAll('table[data-sort]').forEach((table) => table.scrollIntoView());
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
});
const rows_of = () => execFileSync(program, ['export', results, '--format', 'ndjson'], { encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n').map((line) => JSON.parse(line));

test('it is one file of a reasonable size', { skip }, () => {
  assert.ok(statSync(page_file).size < 1.5e6, String(statSync(page_file).size));
  assert.ok(!/(?:src|href)\s*=\s*["'](?!#|data:)/.test(readFileSync(page_file, 'utf8').replace(/<script>[^]*<\/script>/, '')));
});

on_page('every figure is drawn', async ({ page }) => {
  await unfold(page);
  const list = await drawn(page);
  assert.ok(list.length >= 5, String(list.length));
  for (const { id, failed, empty, colors } of list) assert.ok(!failed && !empty && colors > 3, `${id}: ${failed ? 'failed' : empty ? 'empty' : `${colors} colours`}`);
  assert.equal(new Set(list.map(({ id }) => id)).size, list.length);
});

test('the map of winners switches to transfers where a GPU was measured', { skip }, async () => {
  const with_gpu = join(folder, 'h100.html');
  execFileSync(program, ['report', new URL('../../data/h100/study.sextant', import.meta.url).pathname, '-o', with_gpu]);
  const { page } = await open(browser, with_gpu);
  await page.evaluate(() => document.getElementById('wins-map').scrollIntoView());
  await page.click('#wins-map [data-layer="1"]');
  assert.equal(await page.getAttribute('#wins-map [data-layer="1"]', 'aria-pressed'), 'true');
  assert.match(await page.textContent('#wins-map [data-layer="1"]'), /with copies/);
  await page.close();
});

on_page('the map of winners has no transfers without a GPU', async ({ page }) => {
  const on_gpu = rows_of().some((row) => row.status === 'ok' && row.device !== 'cpu');
  await page.evaluate(() => document.getElementById('wins-map').scrollIntoView());
  await drawn(page);
  assert.equal((await page.$$('#wins-map [data-layer]')).length, on_gpu ? 2 : 0);
});

on_page('every table sorts by every column and comes as CSV with as many rows', async ({ page }) => {
  await unfold(page);
  await drawn(page);
  const tables = await page.$$('table[data-sort]');
  assert.ok(tables.length > 3);
  for (const table of tables) {
    const sorted = await table.evaluate((element) => [...element.tHead.rows[0].cells].every((head) => {
      const rows = element.tBodies[0].rows.length;
      head.querySelector('button').click();
      const whole = [...element.tBodies[0].rows].every((row) => row.cells[0].textContent.trim() !== '');
      return whole && head.getAttribute('aria-sort') === 'ascending' && element.tBodies[0].rows.length === rows;
    }));
    assert.ok(sorted);
  }
  const buttons = await page.$$eval('button[data-csv]', (list) => list.map((each) => each.dataset.csv));
  assert.equal(buttons.length, tables.length);
  assert.equal(new Set(buttons).size, buttons.length, 'file names are unique');
  const { name, text } = await download(page, `button[data-csv="${buttons[0]}"]`);
  assert.equal(name, buttons[0]);
  const rows = await tables[0].evaluate((element) => element.rows.length);
  assert.ok(text.split('\r\n').length - 1 >= rows);
});

for (const [what, options] of [['390 pixels wide', { viewport: { width: 390, height: 844 } }], ['on a desk', {}]])
  on_page(`no scrolling sideways ${what}`, async ({ page }) => {
    await unfold(page);
    await drawn(page);
    assert.equal(await sideways(page), 0);
  }, options);

on_page('each section begins with what the results say', async ({ page }) => {
  const rows = rows_of();
  const first = (id) => page.textContent(`#${id} > p`);
  const problems = new Map(); // the fastest correct variant of each model, per problem
  for (const row of rows) {
    if (row.status !== 'ok') continue;
    const models = problems.get(`${row.kernel} ${row.type} ${row.n}`) ?? problems.set(`${row.kernel} ${row.type} ${row.n}`, new Map()).get(`${row.kernel} ${row.type} ${row.n}`);
    const best = models.get(row.model);
    if (!best || row.call_time_median < best.call_time_median) models.set(row.model, row);
  }
  const contested = [...problems.values()].filter((models) => models.size > 1);
  assert.ok((await first('map')).startsWith(`Of ${contested.length} problems`), await first('map'));
  const right = rows.filter((row) => row.status === 'ok').length;
  assert.ok((await first('methods')).startsWith(`${rows.length} cases in 1 session: ${right} right, `), await first('methods'));
  const kernels = new Set(rows.filter((row) => row.status === 'ok').map((row) => row.kernel)), groups = new Set(rows.filter((row) => row.status === 'ok').map((row) => row.kernel + row.type));
  assert.ok((await first('kernels')).startsWith(`${kernels.size} kernels in ${groups.size} entries, one for each element type`), await first('kernels'));
  const fastest = contested.map((models) => [...models.values()].sort((a, b) => a.call_time_median - b.call_time_median)[0]);
  const limited = (name) => fastest.filter((row) => row.ceiling === name), roofline = await first('roofline');
  const several = new Set(fastest.map((row) => `${row.kernel} ${row.ceiling}`)).size > new Set(fastest.map((row) => row.kernel)).size;
  for (const limit of ['memory', 'arithmetic']) { // the text names kernels if each kernel has a single limit, otherwise it counts cases
    const rows = limited(limit), told = several ? [rows.length] : [...new Set(rows.map((row) => row.kernel))];
    if (rows.length) assert.ok(told.every((one) => new RegExp(`${limit}(?: limits)? [^;]*\\b${one}\\b`).test(roofline)), roofline);
  }
  if (several) assert.ok(roofline.includes(` of ${contested.length} problems`), roofline);
  const largest = [...problems].filter(([key]) => key.endsWith(' 130560')).flatMap(([, models]) => [...models.values()]).filter((row) => row.variant !== 'serial.baseline');
  const gains = largest.map((row) => 1 / (0.2 + 0.8 / row.speedup_serial));
  const said = (await first('amdahl')).match(/make the whole ([\d.]+)x to ([\d.]+)x as fast/);
  assert.ok(said, await first('amdahl'));
  for (const [i, gain] of [Math.min(...gains), Math.max(...gains)].entries()) assert.ok(Math.abs(said[i + 1] - gain) <= Math.max(0.02 * gain, 0.005), `${said[0]}, not ${gain}`);
  assert.match(await first('tuning'), /default tuning was measured|No variant with a launch parameter|spaces of tunings/);
});

on_page('the answer and its machine stand on the first screen', async ({ page }) => {
  const within = (selector) => page.$eval(selector, (element) => element.getBoundingClientRect().top < innerHeight && element.checkVisibility());
  assert.ok(await within('#answer .advice dd'));
  assert.match(await page.textContent('#answer .advice'), /Which model.*How sure/s);
});

on_page('one kernel is open at a time, and the address names it', async ({ page }) => {
  const open_ones = () => page.$$eval('details.kernel[open]', (list) => list.map((each) => each.id));
  assert.deepEqual(await open_ones(), []);
  await page.click('#copy-float > summary');
  await page.click('#triad-double > summary');
  assert.deepEqual(await open_ones(), ['triad-double']);
  assert.equal(await page.evaluate(() => location.hash), '#triad-double');
  await page.evaluate(() => (location.hash = '#matmul-float'));
  await page.waitForFunction(() => document.querySelector('#matmul-float').open);
  assert.deepEqual(await open_ones(), ['matmul-float']);
});

on_page('the reader chooses with the words of the command line, and sees the command', async ({ page }) => {
  const kernels = () => page.$$eval('details.kernel', (list) => list.filter((each) => !each.hidden).map((each) => each.id));
  await page.fill('[name="k"]', 'tri.*,copy');
  await page.selectOption('[name="type"]', 'float');
  assert.deepEqual(await kernels(), ['copy-float', 'triad-float']);
  await page.fill('[name="n"]', '7936');
  await page.fill('[name="v"]', 'serial');
  assert.ok((await page.textContent('form output')).endsWith("sextant show results.sextant -k 'tri.*,copy' -v serial --type float -n 7936 --by study"));
  const variants = await page.$$eval('#copy-float table tbody tr:not([hidden])', (list) => list.map((row) => row.textContent).filter((text) => /serial\.|openmp\.|library\./.test(text)));
  assert.ok(variants.length > 0 && variants.every((text) => text.startsWith('7936') && text.includes('serial.')), variants.join('\n'));
  assert.match(await page.evaluate(() => location.hash), /k=tri.*type=float/);
  await page.fill('[name="k"]', '(');
  assert.equal(await page.getAttribute('[name="k"]', 'aria-invalid'), 'true');
});

on_page('any section is reached within 60 stops of the keyboard', async ({ page }) => {
  const seen = new Set();
  for (let stop = 0; stop < 60; ++stop) {
    await page.keyboard.press('Tab');
    for (const id of await page.evaluate(() => { const section = document.activeElement.closest('section'); return section ? [section.id] : document.activeElement.matches('nav a') ? [document.activeElement.hash.slice(1)] : []; })) seen.add(id);
  }
  assert.deepEqual(await page.$$eval('main > section', (list) => list.map((each) => each.id)).then((ids) => ids.filter((id) => !seen.has(id))), []);
});

on_page('text stands out from its ground, in light and in dark', async ({ page }) => {
  const contrasts = () => page.evaluate(() => {
    const luminance = (color) => color.match(/[\d.]+/g).slice(0, 3).map((part) => { const value = part / 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; }).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = (element) => { for (let each = element; each; each = each.parentElement) { const color = getComputedStyle(each).backgroundColor; if (!/rgba\(.*, 0\)/.test(color)) return color; } return getComputedStyle(document.body).backgroundColor; };
    return [...document.querySelectorAll('p, dd, dt, td, th, li, summary span, a, code, label, figcaption, output')].filter((each) => each.checkVisibility() && each.textContent.trim()).map((each) => {
      const [one, two] = [luminance(getComputedStyle(each).color), luminance(ground(each))];
      return { text: each.textContent.slice(0, 40), ratio: (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05) };
    }).filter(({ ratio }) => ratio < 4.5);
  });
  await unfold(page);
  assert.deepEqual(await contrasts(), []);
  await page.click('#theme');
  assert.deepEqual(await contrasts(), []);
});

on_page('on paper: the answer and the map, few pages', async ({ page }) => {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await eventually(async () => (await drawn(page)).every(({ failed, colors }) => !failed && colors > 0), 'figures for paper');
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  const pages = pdf.match(/\/Type\s*\/Page[^s]/g).length;
  assert.ok(pages >= 1 && pages <= 12, `${pages} pages`);
});

on_page('where names have no room, letters stand for models and the legend says which', async ({ page }) => {
  await page.evaluate(() => document.getElementById('wins-map').scrollIntoView());
  await page.waitForSelector('#wins-map canvas');
  const entries = await page.$$eval('#wins-map .legend button', (list) => list.map((each) => each.textContent.trim())); // models that are the fastest in some cell
  assert.ok(entries.length > 0);
  for (const entry of entries) assert.match(entry, /^(S serial|O openmp|P stdpar|L cpu library|A openacc|T target|C cuda|G gpu library)$/);
  await page.evaluate(() => document.getElementById('roofline-cpu').scrollIntoView());
  await page.waitForSelector('#roofline-cpu canvas');
  assert.match(await page.textContent('#roofline-cpu .controls'), /Level lines from the top: fp(32|64) .*FLOP\/s.*Slopes from the left: .*B\/s/);
}, { viewport: { width: 390, height: 844 } });

on_page('without JavaScript the tables are there, the buttons and figures are not', async ({ page }) => {
  assert.ok(await page.isVisible('#winners, table.data td'));
  assert.equal(await page.isVisible('button[data-csv]'), false);
  assert.equal(await page.isVisible('#theme'), false);
}, { javaScriptEnabled: false });

test('problems in parts have figures and tables, on a telephone too', { skip }, async (t) => {
  const file = join(folder, 'parts.sextant'), made = join(folder, 'parts.html');
  const env = { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1', OMPI_MCA_mpi_yield_when_idle: '1', OMP_WAIT_POLICY: 'passive' };
  try {
    execFileSync(program, ['run', '-q', '-k', 'heat3d_r1', '--type', 'float', '-v', 'openmp.simd|openmp.mpi', '-n', '20x17x12', '-d', 'cpu,1xcpu,2xcpu,3xcpu', '--samples', '3:5', '--no-ceilings', '--visits', '1', '-o', file], { env, stdio: 'pipe' });
  } catch (error) {
    if (error.status === 5) return t.skip('this build or machine starts no ranks');
    throw error;
  }
  execFileSync(program, ['report', file, '-o', made], { stdio: 'pipe' });
  const opened = await open(browser, made, { viewport: { width: 390, height: 844 } });
  await unfold(opened.page);
  const list = await drawn(opened.page);
  for (const id of ['scaling-speed', 'scaling-times', 'scaling-model']) {
    const one = list.find((each) => each.id === id);
    assert.ok(one && !one.failed && !one.empty && one.colors > 3, `${id}: ${JSON.stringify(one)}`);
  }
  assert.equal(await sideways(opened.page), 0);
  assert.match(await opened.page.textContent('#scaling > p'), /computed in up to 3 parts/);
  assert.match(await opened.page.textContent('#scaling-model'), /at 3 parts, left out of its fit/);
  assert.deepEqual(opened.complaints, []);
  await opened.page.close();
});
