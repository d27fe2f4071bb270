// Debian's chromium, driven by playwright-core, on pages of this disk.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const executable = process.env.CHROMIUM || ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));

export const launch = () => chromium.launch({
  executablePath: executable,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** Opens a page and waits until it says it is ready. @returns the page, with what it asked for and complained of
 * @param {import('playwright-core').Browser} browser @param {string} file @param {object} [options] */
export async function open(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const requests = [], complaints = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !message.text().includes('willReadFrequently') && complaints.push(message.text())) // the last: of these tests' own look at pixels;
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`file://${file}`);
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
  return { page, requests, complaints };
}

/** Of every figure with a canvas: its id, and how many colours it has besides nothing.
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

/** How many pixels of a figure have exactly that colour. @param {import('playwright-core').Page} page @param {string} id @param {string} color "#rrggbb" */
export const pixels = (page, id, color) => page.evaluate(([id, color]) => {
  const canvas = document.getElementById(id).querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const wanted = parseInt(color.slice(1), 16);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255 && ((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]) === wanted) ++count;
  return count;
}, [id, color]);

/** Clicks a download button and gives the file's name and text. @param {import('playwright-core').Page} page @param {string} selector */
export async function download(page, selector) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  const parts = [];
  for await (const part of await file.createReadStream()) parts.push(part);
  return { name: file.suggestedFilename(), text: Buffer.concat(parts).toString('utf8') };
}

/** Whether the page itself would scroll sideways. @param {import('playwright-core').Page} page */
export const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Waits until what it asks becomes true, a minute at most. @param {() => Promise<boolean>} ask @param {string} what */
export async function eventually(ask, what) {
  for (const end = Date.now() + 60_000; !(await ask());) {
    if (Date.now() > end) throw new Error(`never came: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
