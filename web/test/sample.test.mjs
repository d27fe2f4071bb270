// Tests the script in a real browser, on a page of generated data.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { theme_of } from '../src/theme.js';
import { download, drawn, eventually, launch, open, pixels, sideways } from './browser.mjs';
import { figures, hostile, sample_page } from './sample-page.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sextant-web-'));
const sample = join(folder, 'sample.html');
const light = theme_of(false).models, dark = theme_of(true).models;
let browser;

before(async () => {
  writeFileSync(sample, sample_page());
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** @param {string} what @param {(opened: Awaited<ReturnType<typeof open>>) => Promise<void>} act @param {object} [options] */
const on_page = (what, act, options) => test(what, async () => {
  const opened = await open(browser, sample, options);
  await act(opened);
  assert.deepEqual(opened.complaints, []);
  assert.deepEqual(opened.requests.filter((url) => !url.startsWith('blob:')), [`file://${sample}`]);
  assert.equal(await opened.page.evaluate(() => window.hacked), undefined);
  assert.equal(await opened.page.evaluate(() => document.querySelectorAll('img').length), 0);
  await opened.page.close();
});

on_page('every figure is drawn, or says that it has nothing to draw', async ({ page }) => {
  const list = await drawn(page);
  assert.deepEqual(list.map(({ id }) => id), Object.keys(figures()));
  for (const { id, failed, empty, colors } of list) {
    assert.equal(failed, false, id);
    assert.equal(empty, id === 'nothing', id);
    assert.ok(id === 'nothing' || colors > 3, `${id}: ${colors} colours`);
  }
  assert.equal(await page.evaluate(() => window.sextantCharts), list.length);
});

on_page('figures far below are drawn when they come near', async ({ page }) => {
  const before_ = await page.evaluate(() => window.sextantCharts);
  assert.ok(before_ > 0 && before_ < Object.keys(figures()).length, String(before_));
  await page.evaluate(() => document.getElementById('amdahl').scrollIntoView());
  await page.waitForSelector('#amdahl canvas');
});

on_page('a figure in a closed part is drawn when that is opened', async ({ page }) => {
  await page.evaluate(() => document.getElementById('closed').scrollIntoView());
  assert.equal(await page.$('#inside canvas'), null);
  await page.click('#closed > summary');
  await page.waitForSelector('#inside canvas');
});

on_page('the legend hides and shows a series, its whiskers too', async ({ page }) => {
  await drawn(page);
  const all = await pixels(page, 'speedup', light.openmp);
  assert.ok(all > 100, String(all));
  const entry = '#speedup .legend button:has-text("openmp")';
  await page.click(entry);
  assert.equal(await page.getAttribute(entry, 'aria-pressed'), 'false');
  assert.equal(await pixels(page, 'speedup', light.openmp), 0);
  assert.ok((await pixels(page, 'speedup', light.cuda)) > 100);
  await page.click(entry);
  assert.equal(await pixels(page, 'speedup', light.openmp), all);
});

on_page('what is modelled stands dashed on hatched ground that says so', async ({ page }) => {
  await drawn(page);
  const widest = (id) => page.evaluate((name) => {
    const canvas = document.querySelector(`#${name} canvas`), { width, height } = canvas, data = canvas.getContext('2d').getImageData(0, 0, width, height).data;
    const strokes = [0, 0]; // brightness changes between grid lines, in the left and in the right half of a row
    const at = (x, y) => data[4 * (y * width + x)];
    for (let y = Math.floor(height * 0.3); y < height * 0.7; ++y)
      for (let x = Math.floor(width * 0.12); x < width * 0.9; ++x) if (Math.abs(at(x, y) - at(x - 1, y)) > 4) ++strokes[x < width * 0.25 ? 0 : 1];
    return strokes;
  }, id);
  const [measured, modelled] = await widest('scaling');
  assert.ok(modelled > 50 * (measured + 1), `${measured}, ${modelled}`);
  const [, without] = await widest('two');
  assert.ok(modelled > 10 * without, `${without}`);
  assert.deepEqual(await page.$$eval('#scaling .legend button', (list) => list.map((each) => each.textContent.trim())), ['openmp.mpi', 'ideal', 'model']);
});

on_page('the legend hides a category of a map', async ({ page }) => {
  await drawn(page);
  assert.ok((await pixels(page, 'wins', light.cuda)) > 1000);
  await page.click('#wins .legend button[data-series="s3"]');
  assert.equal(await pixels(page, 'wins', light.cuda), 0);
});

on_page('the map switches between its layers', async ({ page }) => {
  await drawn(page);
  const without = await pixels(page, 'wins', light.openmp);
  await page.click('#wins [data-layer="1"]');
  assert.equal(await page.getAttribute('#wins [data-layer="1"]', 'aria-pressed'), 'true');
  assert.equal(await page.getAttribute('#wins [data-layer="0"]', 'aria-pressed'), 'false');
  assert.ok((await pixels(page, 'wins', light.openmp)) > 1.5 * without);
  await page.click('#wins [data-layer="0"]');
  assert.equal(await pixels(page, 'wins', light.openmp), without);
});

on_page('the reader chooses what a figure shows', async ({ page }) => {
  await drawn(page);
  assert.equal(await page.$$eval('#chosen .legend button', (list) => list.length), 8);
  await page.selectOption('#chosen .choice select', '1');
  assert.equal(await page.$$eval('#chosen .legend button', (list) => list.length), 1);
  assert.ok((await pixels(page, 'chosen', light.cuda)) > 20);
  assert.equal(await pixels(page, 'chosen', light.openmp), 0);
});

on_page('two points make no curve', async ({ page }) => {
  await drawn(page);
  const all = await pixels(page, 'two', light.cuda);
  assert.ok(all > 30 && all < 600, String(all)); // only symbols and whiskers; a line would have more pixels
});

on_page('points on rows hide with their legend, in both panels', async ({ page }) => {
  await drawn(page);
  assert.ok((await pixels(page, 'dots', light.openacc)) > 200);
  await page.click('#dots .legend button:has-text("openacc")');
  assert.equal(await pixels(page, 'dots', light.openacc), 0);
});

on_page('one stop of the Tab key for a legend and for a heading, arrows within', async ({ page }) => {
  await drawn(page);
  assert.equal(await page.$$eval('#speedup .legend button', (list) => list.filter((each) => each.tabIndex === 0).length), 1);
  assert.equal(await page.$$eval('table.data th button', (list) => list.filter((each) => each.tabIndex === 0).length), 1);
  await page.focus('table.data th button');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'time');
});

on_page('tables sort by numbers and by text, missing values last, and back', async ({ page }) => {
  const column = (i) => page.$$eval('table.data tbody tr', (rows, at) => rows.map((row) => row.cells[at].textContent), i);
  const original = await column(0);
  const head = (i) => `table.data th:nth-child(${i}) button`;
  await page.click(head(2));
  let times = await column(1);
  assert.equal(times.at(-1), '–');
  assert.deepEqual(times.slice(0, -1), times.slice(0, -1).toSorted());
  assert.equal(await page.getAttribute('table.data th:nth-child(2)', 'aria-sort'), 'ascending');
  await page.click(head(2));
  times = await column(1);
  assert.equal(times.at(-1), '–');
  assert.deepEqual(times.slice(0, -1), times.slice(0, -1).toSorted().reverse());
  await page.click(head(2));
  assert.deepEqual(await column(0), original);
  await page.focus(head(1));
  await page.keyboard.press('Enter');
  assert.notDeepEqual(await column(0), original);
  assert.equal(await page.getAttribute('table.data th:nth-child(2)', 'aria-sort'), null);
});

on_page('a table comes as CSV, raw values, in the order shown', async ({ page }) => {
  const { name, text } = await download(page, 'button[data-csv]');
  assert.equal(name, 'times.csv');
  const lines = text.split('\r\n');
  assert.equal(lines[0], 'kernel,time,note');
  assert.equal(lines[1], 'copy,0,plain');
  assert.equal(lines[2], 'scale,0.0000025,"a ""quoted"", one"');
  assert.equal(lines[4], 'triad,,"a ""quoted"", one"');
  assert.equal(lines[12], `"${hostile.replaceAll('"', '""')}",0.0000025,"a ""quoted"", one"`);
  assert.equal(lines.length, 14);
});

on_page('the theme follows its button, the figures too', async ({ page }) => {
  await drawn(page);
  assert.ok((await pixels(page, 'speedup', light.cuda)) > 100);
  await page.click('#theme');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  assert.equal(await pixels(page, 'speedup', light.cuda), 0);
  assert.ok((await pixels(page, 'speedup', dark.cuda)) > 100);
  await page.evaluate(() => document.getElementById('wins').scrollIntoView()); // it was not near the screen when the button was clicked
  await eventually(async () => (await pixels(page, 'wins', dark.cuda)) > 1000, 'the dark map');
  await page.click('#theme');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
});

on_page('the theme follows the system', async ({ page }) => {
  await drawn(page);
  assert.ok((await pixels(page, 'speedup', dark.cuda)) > 100);
  assert.equal(await page.textContent('#theme'), 'Light');
  await page.emulateMedia({ colorScheme: 'light' });
  await eventually(async () => (await pixels(page, 'speedup', light.cuda)) > 100, 'light figures');
}, { colorScheme: 'dark' });

on_page('a pointer over a figure shows values with units, hostile names as text', async ({ page }) => {
  const hover = async (id, x, y) => {
    await page.evaluate((at) => document.getElementById(at).scrollIntoView({ block: 'center' }), id);
    await page.waitForSelector(`#${id} canvas`);
    const box = await (await page.$(`#${id} canvas`)).boundingBox();
    await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
    await page.mouse.move(box.x + x * box.width + 1, box.y + y * box.height);
    await page.waitForSelector(`#${id} .tip`);
    return page.innerText(`#${id} .tip`);
  };
  await drawn(page); // later drawing would move the page under the pointer
  assert.match(await hover('rate', 0.96, 0.5), /N 9437184[^]*cuda[^]*GB\/s \([\d.]+ GB\/s – [\d.]+ [GT]B\/s\)/);
  const holes = await hover('holes', 0.06, 0.5);
  assert.ok(holes.includes(hostile) && holes.includes('3.00 µs'), holes);
  const wins = await hover('wins', 0.5, 0.9);
  assert.ok(wins.includes(hostile) && wins.includes('12.3 µs'), wins);
  assert.match(await hover('stacked', 0.5, 0.5), /copy in[^]*%/);
});

on_page('sliders change what a program gains', async ({ page }) => {
  await drawn(page);
  const words = () => page.textContent('#amdahl .words');
  assert.match(await words(), /133× as fast\. As 80 %.*0\.90×.*pay from 2 uses on/);
  const set = (name, value) => page.$eval(`[data-input="${name}"]`, (input, to) => { input.value = to; input.dispatchEvent(new Event('input')); }, value);
  await set('reuses', '30');
  assert.match(await words(), /spread over 1000 uses/);
  await set('share', '50');
  assert.match(await words(), /As 50 %.*infinitely fast kernel: 2×/);
  await set('law', 'gustafson');
  assert.match(await words(), /67\.2×/);
  assert.equal(await page.$$eval('#amdahl .legend button', (list) => list.length), 2);
  await set('case', '2');
  assert.match(await words(), /never pay/);
});

on_page('390 pixels wide, the page does not scroll sideways', async ({ page }) => {
  await drawn(page);
  assert.equal(await sideways(page), 0);
  assert.ok(await page.$eval('#roofline .canvas', (box) => box.scrollWidth <= box.clientWidth)); // the chart fits its box
}, { viewport: { width: 390, height: 844 } });

on_page('figures follow the width of the page', async ({ page }) => {
  await drawn(page);
  const width = () => page.$eval('#speedup canvas', (canvas) => canvas.getBoundingClientRect().width);
  const wide = await width();
  await page.setViewportSize({ width: 700, height: 900 });
  await eventually(async () => (await width()) < 0.65 * wide, `narrower than ${wide}`);
  assert.equal(await sideways(page), 0);
});

on_page('on paper: light figures of its width, legends, no controls', async ({ page }) => {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint'))); // the browser sends it before the print layout
  await page.setViewportSize({ width: 640, height: 900 });
  await page.emulateMedia({ media: 'print' });
  assert.ok((await pixels(page, 'speedup', light.cuda)) > 100);
  assert.ok((await page.$eval('#speedup canvas', (canvas) => canvas.getBoundingClientRect().width)) <= 700);
  assert.equal(await page.evaluate(() => document.querySelectorAll('#amdahl canvas').length), 1);
  assert.deepEqual(await page.$$eval('figure canvas', (list) => list.filter((each) => each.getBoundingClientRect().right > each.closest('figure').getBoundingClientRect().right).map((each) => each.closest('figure').id)), []);
  assert.ok(await page.isVisible('#speedup .legend button'));
  assert.ok(await page.isVisible('table.data th button'));
  assert.ok(!(await page.isVisible('#amdahl .fields')));
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.ok((await page.$eval('#speedup canvas', (canvas) => canvas.getBoundingClientRect().width)) > 1000);
  assert.ok((await pixels(page, 'speedup', dark.cuda)) > 100);
}, { colorScheme: 'dark' });

on_page('figures and their controls have names', async ({ page }) => {
  await drawn(page);
  assert.deepEqual(await page.$$eval('figure .canvas', (list) => list.filter((box) => box.getAttribute('role') !== 'img' || !box.getAttribute('aria-label')).map((box) => box.outerHTML.slice(0, 200))), []);
  assert.deepEqual(await page.$$eval('button, select, input', (list) => list.filter((each) => !(each.ariaLabel || each.textContent || each.labels?.[0]?.textContent || '').trim()).map((each) => each.outerHTML)), []);
});

test('one broken figure says so and leaves the others alone', async () => {
  const file = join(folder, 'broken.html');
  const good = figures().speedup;
  writeFileSync(file, sample_page({ figures: { unknown: ['?', { kind: hostile }], nameless: ['?', { kind: 'constructor' }], hollow: ['?', { kind: 'lines' }], nulls: ['?', { kind: 'heatmap', x: [], y: [], scale: { type: 'categorical', names: [] }, layers: [] }], good } }));
  const { page, complaints } = await open(browser, file);
  const list = await drawn(page);
  assert.deepEqual(list.map(({ id, failed }) => [id, failed]), [['unknown', true], ['nameless', true], ['hollow', true], ['nulls', false], ['good', false]]);
  assert.ok((await page.textContent('#unknown .error')).includes(hostile));
  assert.ok(list.at(-1).colors > 3);
  assert.deepEqual(complaints, []);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await page.close();
});

test('a page without figures becomes ready', async () => {
  const file = join(folder, 'none.html');
  writeFileSync(file, sample_page({ figures: {} }).replace(/<details[^]*<\/details>/, ''));
  const { page } = await open(browser, file);
  assert.equal(await page.evaluate(() => window.sextantCharts), 0);
  await page.close();
});
