// Opens local pages in Debian's chromium, controlled by playwright-core.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const executable = process.env.CHROMIUM || ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export const launch = () => chromium.launch({
  executablePath: executable,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** Opens a page and waits until its script is ready. @returns the page, its requests, and its errors and warnings
 * @param {import('playwright-core').Browser} browser @param {string} file @param {object} [options] */
export async function open(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const requests = [], complaints = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !message.text().includes('willReadFrequently') && complaints.push(message.text())) // willReadFrequently: caused by the tests' own getImageData calls
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`file://${file}`);
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
  return { page, requests, complaints };
}

/** For every visible figure: its id, and the number of its opaque colours.
 * @param {import('playwright-core').Page} page */
export const drawn = (page) => page.evaluate(() => {
  window.sextantDrawAll();
  return [...document.querySelectorAll('figure[data-chart]')].filter((figure) => figure.checkVisibility()).map((figure) => {
    const canvas = figure.querySelector('canvas');
    const colors = new Set();
    if (canvas && canvas.width && canvas.height) {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    }
    return { id: figure.id, failed: figure.classList.contains('failed'), empty: !!figure.querySelector('.nothing'), colors: colors.size };
  });
});

/** The number of pixels of a figure with exactly this colour. @param {import('playwright-core').Page} page @param {string} id @param {string} color "#rrggbb" */
export const pixels = (page, id, color) => page.evaluate(([id, color]) => {
  const canvas = document.getElementById(id).querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const wanted = parseInt(color.slice(1), 16);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255 && ((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]) === wanted) ++count;
  return count;
}, [id, color]);

/** Clicks a download button and returns the file's name and text. @param {import('playwright-core').Page} page @param {string} selector */
export async function download(page, selector) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  const parts = [];
  for await (const part of await file.createReadStream()) parts.push(part);
  return { name: file.suggestedFilename(), text: Buffer.concat(parts).toString('utf8') };
}

/** The width in px by which the page is wider than the window. @param {import('playwright-core').Page} page */
export const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Waits until `ask` returns true, for at most a minute. @param {() => Promise<boolean>} ask @param {string} what */
export async function eventually(ask, what) {
  for (const end = Date.now() + 60_000; !(await ask());) {
    if (Date.now() > end) throw new Error(`never came: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
