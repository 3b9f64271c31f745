// The system's Chromium, driven by playwright-core, for tests of what a browser makes of a page. Nothing is
// downloaded: where there is no Chromium, tests skip themselves with the reason.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = ['/usr/bin/chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why tests in a browser cannot run here. */
export const NO_CHROMIUM = `no Chromium: none of ${NAMES.join(', ')} on the PATH`;

/** Path of the browser; undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [...PLACES, ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))];
  return candidates.find((path) => existsSync(path));
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

export interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** A page and everything that it should not have done. */
export interface OpenPage {
  readonly page: Page;
  /** Messages on the console, uncaught errors, dialogs, and requests for anything but the page itself. */
  readonly complaints: readonly string[];
}

/** Opens a file as a reader does, by its file: address. The caller closes the page's context. */
export async function openFile(
  browser: Browser,
  path: string,
  { width, colorScheme }: Look,
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const url = pathToFileURL(path).href;
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== url) complaints.push(`request: ${request.url().slice(0, 200)}`);
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url, { waitUntil: 'load' });
  // As text: the compiler of the tests knows no browser.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve(null)))');
  return { page, complaints };
}
