// Aim: the HTML report is what it claims to be: one file that a browser opens from disk in light and dark,
// narrow and wide, without a word on the console or a request, and in which hostile names stay text. Method:
// the samples are rendered by the built command, compared with the committed files, and opened in the
// system's Chromium; a hostile record is a sample with its names replaced.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  findChromium,
  launchChromium,
  type Look,
  NO_CHROMIUM,
  type OpenPage,
  openFile,
} from '../support/chromium.ts';
import { packageRoot, removeFolder, runCli, runFolders, temporaryFolder } from '../support/cli.ts';
import { frozenText } from '../support/frozen-file.ts';
import { refreshRecord, sampleFolder, sampleRecord, samples } from '../support/sample-reports.ts';

const LARGEST_REPORT_BYTES = 500_000;

const executable = findChromium();
let browser: Browser | undefined;
let folder = '';

beforeAll(async () => {
  folder = await temporaryFolder();
  if (executable !== undefined) browser = await launchChromium(executable);
});

afterAll(async () => {
  await browser?.close();
  await removeFolder(folder);
});

async function render(record: string): Promise<string> {
  const output = join(folder, `${record.replaceAll(/\W+/g, '-')}.html`);
  const { code, stderr } = await runCli(['report', record, '--format', 'html', '--output', output], {
    cwd: packageRoot,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return output;
}

/** Opens a file, looks at it, and closes it again. */
async function lookAt(path: string, look: Look, judge: (open: OpenPage) => Promise<void>): Promise<void> {
  if (browser === undefined) throw new Error(NO_CHROMIUM);
  const open = await openFile(browser, path, look);
  try {
    await judge(open);
    expect(open.complaints).toEqual([]);
  } finally {
    await open.page.context().close();
  }
}

/** A figure that the page's own script computes, by an expression in the browser's words. */
async function inPage({ page }: OpenPage, expression: string): Promise<unknown> {
  return page.evaluate(expression);
}

const looks: readonly Look[] = [
  { width: 375, colorScheme: 'light' },
  { width: 375, colorScheme: 'dark' },
  { width: 1_440, colorScheme: 'light' },
  { width: 1_440, colorScheme: 'dark' },
];

describe.each(samples)('the sample report of $scenario', (sample) => {
  test('is what the command makes of its record, and small', async () => {
    await refreshRecord(sample);
    const text = readFileSync(await render(sampleFolder(sample)), 'utf8');
    expect(Buffer.byteLength(text)).toBeLessThan(LARGEST_REPORT_BYTES);
    expect(text).toBe(frozenText(`${sampleFolder(sample)}/report.html`, text));
  });

  test.for(looks)('opens at $width px in $colorScheme', async (look, { skip }) => {
    skip(browser === undefined, NO_CHROMIUM);
    const { scenario, verdict } = sampleRecord(sample);
    await lookAt(join(packageRoot, sampleFolder(sample), 'report.html'), look, async (open) => {
      expect(await open.page.textContent('h1')).toBe(scenario.question);
      expect(await open.page.textContent('.recommended')).toContain(verdict.recommendedVariant);
      expect(await inPage(open, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await inPage(open, 'document.querySelectorAll(".plot canvas").length')).toBe(
        await inPage(open, 'document.querySelectorAll(".plot").length'),
      );
      expect(await inPage(open, drawnColors)).toBeGreaterThan(2);
      expect(await inPage(open, 'getComputedStyle(document.body).backgroundColor')).toBe(
        look.colorScheme === 'dark' ? 'rgb(20, 23, 28)' : 'rgb(255, 255, 255)',
      );
    });
  });

  test('can be worked by keyboard: theme, variants, tables', async ({ skip }) => {
    skip(browser === undefined, NO_CHROMIUM);
    const path = join(packageRoot, sampleFolder(sample), 'report.html');
    await lookAt(path, { width: 1_440, colorScheme: 'light' }, async (open) => {
      await open.page.focus('#theme');
      await open.page.keyboard.press('Enter');
      await open.page.keyboard.press('Enter');
      expect(await open.page.textContent('#theme')).toBe('Theme: dark');
      expect(await inPage(open, 'getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 23, 28)');
      await open.page.focus('#choice input');
      await open.page.keyboard.press('Space');
      expect(await inPage(open, 'document.querySelectorAll(".plot .u-series.u-off").length')).toBeGreaterThan(
        0,
      );
      expect(await inPage(open, 'document.querySelectorAll(".scroll:not([tabindex])").length')).toBe(0);
    });
  });
});

describe('the command', () => {
  test('writes the page of a run beside its record, and says where', async () => {
    const { code, stderr } = await runCli(['run', 'query-vs-scan', '--duration', '1s', '--html'], {
      cwd: folder,
    });
    const [run = ''] = await runFolders(folder, 'query-vs-scan');
    expect(code).toBe(0);
    expect(stderr).toContain(`HTML report: ${join(run, 'report.html')}\n`);
    expect(readFileSync(join(folder, run, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
  });

  test('writes any format to a file, and says what is wrong with the file', async () => {
    const record = sampleFolder(samples[0]);
    const output = join(folder, 'new', 'report.txt');
    expect(await runCli(['report', record, '--output', output], { cwd: packageRoot })).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(readFileSync(output, 'utf8')).toContain('Verdict');
    const refused = await runCli(['report', record, '--output', folder], { cwd: packageRoot });
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toMatch(/^REPORT_UNWRITABLE {2}.* cannot be written/);
  });
});

/** How many colours the first chart has: an empty canvas has one. */
const drawnColors = `(() => {
  const canvas = document.querySelector('.plot canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return new Set(Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 4).join())).size;
})()`;

const attack = '</script><img src=x onerror="alert(1)"><!--\'"`&\u2028\u202e';

/** As the page shows it: what cannot be seen, by its code. */
const attackShown = attack.replace('\u2028', '\\u2028').replace('\u202e', '\\u202e');

describe('a report of hostile names', () => {
  test.for(looks)('shows them as text at $width px in $colorScheme', async (look, { skip }) => {
    skip(browser === undefined, NO_CHROMIUM);
    const path = join(folder, 'hostile.run.json');
    writeFileSync(path, JSON.stringify(withHostileNames(sampleRecord(samples[0]))));
    await lookAt(await render(path), look, async (open) => {
      expect(await inPage(open, 'document.querySelectorAll("img, iframe, object, embed, link").length')).toBe(
        0,
      );
      expect(await inPage(open, 'document.querySelectorAll("script").length')).toBe(3);
      expect(await open.page.textContent('h1')).toContain(attackShown);
      expect(await inPage(open, 'document.querySelectorAll(".plot canvas").length')).toBeGreaterThan(0);
      expect(await inPage(open, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    });
  });
});

/** What users and their data name: question, scenario, workloads, parameters, tables, indexes, keys. */
const names = [
  'How many',
  'sharding',
  'placeOrder',
  'readPending',
  'count',
  'GSI1',
  'STATUS#PENDING',
  'USER#',
];

/** The same record with an attack in each of these names, wherever they stand. */
function withHostileNames(value: unknown, isNamed = false): unknown {
  if (typeof value === 'string') return hostile(value);
  if (Array.isArray(value)) return value.map((one) => withHostileNames(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      // Fields have names of ours, save those of parameters.
      isNamed ? hostile(field) : field,
      withHostileNames(inner, field === 'parameters'),
    ]),
  );
}

function hostile(text: string): string {
  return names.reduce((changed, name) => changed.replaceAll(name, `${name}${attack}`), text);
}
