// The page that sextant writes, from a short run on this machine: SEXTANT=build/cpu/bin/sextant
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { download, drawn, launch, open, sideways } from './browser.mjs';

const program = process.env.SEXTANT;
const skip = program ? false : 'SEXTANT names no built program';
const folder = mkdtempSync(join(tmpdir(), 'sextant-report-'));
const page_file = join(folder, 'report.html');
let browser;

before(async () => {
  if (skip) return;
  const results = join(folder, 'results.sextant');
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
const unfold = (page) => page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)));

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

on_page('the map of winners switches to transfers', async ({ page }) => {
  await page.evaluate(() => document.getElementById('wins-map').scrollIntoView());
  await page.click('#wins-map [data-layer="1"]');
  assert.equal(await page.getAttribute('#wins-map [data-layer="1"]', 'aria-pressed'), 'true');
  assert.match(await page.textContent('#wins-map [data-layer="1"]'), /with transfers/);
});

on_page('every table sorts by every column and comes as CSV with as many rows', async ({ page }) => {
  await unfold(page);
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

on_page('without JavaScript the tables are there, the buttons and figures are not', async ({ page }) => {
  assert.ok(await page.isVisible('table.data td'));
  assert.equal(await page.isVisible('button[data-csv]'), false);
  assert.equal(await page.isVisible('#theme'), false);
}, { javaScriptEnabled: false });
