// Aim: the live page of `serve` shows tables, heat and throttles as they are, takes names for text, asks for nothing
// from elsewhere, and is not shown to pages of other sites. Method: a server with a clock moved by hand, the system's
// Chromium light and dark, wide and narrow; requests as other sites' pages would send them.
import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseFaultRule } from '../../src/serve/faults/fault-rule.ts';
import { STATE_PATH } from '../../src/serve/page/live-page.ts';
import { findChromium, launchChromium, type Look, NO_CHROMIUM } from '../support/chromium.ts';
import { assertSound, post, type ServedDatabase, serveDatabase } from '../support/served-database.ts';

let served: ServedDatabase;
let putCount = 0;
let requestCount = 0;

beforeAll(async () => {
  const rule = parseFaultRule('throttle:1@GetItem/orders');
  if (typeof rule === 'string') throw new Error(rule);
  served = await serveDatabase({ faults: [rule] });
  await post(served.url, 'CreateTable', {
    TableName: 'orders',
    AttributeDefinitions: ['pk', 'status'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byStatus',
        KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
  // A new partition has saved up half a second.
  served.advance(1_000);
});
afterAll(async () => {
  assertSound(served);
  await served.stop();
});

/** One write each, all under one index key. */
async function put(count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await post(served.url, 'PutItem', {
      TableName: 'orders',
      Item: { pk: { S: `order ${putCount++}` }, status: { S: 'NEW' }, text: { S: 'x'.repeat(9_000) } },
    });
}

/** A request with headers that `fetch` would not let through. */
function ask(
  headers: Record<string, string>,
  { path = '/', method = 'GET', body = '' } = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(served.url + path, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => void (text += piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('GET /', () => {
  test('is a page for browsers, and a word for whoever asks whether the server lives', async () => {
    const page = await ask({ accept: 'text/html,application/xhtml+xml' });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const word = await ask({ accept: '*/*' });
    expect([word.headers['content-type'], word.text]).toEqual(['text/plain', 'healthy: dyno-load serve\n']);
  });

  test.each([
    ['an address', '127.0.0.1:8000', 200],
    ['an address of IPv6', '[::1]:8000', 200],
    ['localhost', 'localhost', 200],
    ['a name that another site could have given to this machine', 'attacker.example:8000', 403],
    ['a name that only looks like this machine', 'localhost.attacker.example', 403],
  ])('under %s', async (_, host, status) => {
    expect((await ask({ host, accept: 'text/html' })).status).toBe(status);
    expect((await ask({ host }, { path: STATE_PATH })).status).toBe(status);
  });

  test('is not there for those who cannot sign, where others reach the server', async () => {
    const accessKeys = [{ accessKeyId: 'id', secretAccessKey: 'secret' }];
    const open = await serveDatabase({ host: '0.0.0.0', accessKeys });
    const url = open.url.replace('0.0.0.0', '127.0.0.1');
    const answer = await fetch(url + STATE_PATH, { headers: { accept: 'text/html' } });
    expect(await answer.text()).toBe('healthy: dyno-load serve\n');
    await open.stop();
    const local = await serveDatabase({ accessKeys });
    expect(await (await fetch(local.url + STATE_PATH)).json()).toMatchObject({ tables: [] });
    await local.stop();
  });
});

describe('requests of a web page', () => {
  const sent = { method: 'POST', body: '{}' };
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.ListTables',
    'content-length': '2',
  };

  test('are refused under the name of another site, whatever they ask', async () => {
    const host = 'attacker.example:8000';
    const answer = await ask({ ...headers, host, origin: `http://${host}` }, sent);
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('orders');
  });

  test('are answered under a name of ours, as are those of no page under any name', async () => {
    const mine = await ask({ ...headers, host: 'localhost:8000', origin: 'http://localhost:8000' }, sent);
    expect(JSON.parse(mine.text)).toEqual({ TableNames: ['orders'] });
    const container = await ask({ ...headers, host: 'dynamodb:8000' }, sent);
    expect(JSON.parse(container.text)).toEqual({ TableNames: ['orders'] });
  });
});

const chromium = findChromium();
describe.skipIf(chromium === undefined)(
  `in a browser${chromium === undefined ? ` (${NO_CHROMIUM})` : ''}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium(chromium ?? '');
    }, 60_000);
    afterAll(() => browser.close());

    test.each<Look>([
      { width: 1_100, colorScheme: 'light' },
      { width: 1_100, colorScheme: 'dark' },
      { width: 360, colorScheme: 'light' },
    ])(
      'shows heat, throttles and faults at $width pixels, $colorScheme',
      async (look) => {
        const context = await browser.newContext({
          viewport: { width: look.width, height: 900 },
          colorScheme: look.colorScheme,
        });
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('request', (request) => {
          if (!request.url().startsWith(`${served.url}/`)) complaints.push(request.url());
        });
        await page.goto(served.url);
        await page.locator('h2', { hasText: 'orders' }).waitFor();
        // 9 units a put on one key of the index: 900 of the 1,000 a second that it takes. A look of the page
        // that falls among them divides them; the next ones it sees whole.
        const busySecond = async () => {
          await put(90);
          await post(served.url, 'GetItem', { TableName: 'orders', Key: { pk: { S: 'order 0' } } });
          served.advance(900);
          const total = `${((requestCount += 91)).toLocaleString('en-US')} requests,`;
          for (;;) {
            // Sums and rates in one step, as the next look replaces them. As text: the compiler of the tests
            // knows no browser.
            const shown = String(
              await page.evaluate(
                `document.querySelector('main').innerText + ' hot: ' + document.querySelectorAll('.fill.hot').length +
              '|' + document.querySelector('#sums').textContent`,
              ),
            );
            if (shown.includes(`|${total}`)) return shown.split('|')[0];
            await pause(50);
          }
        };
        await expect
          .poll(busySecond, { timeout: 20_000, interval: 0 })
          .toMatch(/101 requests\/s\s+1 throttled\/s[\s\S]*byStatus\s+4 partitions\s+hottest: 90 % hot: 1$/);
        expect(await page.locator('#ceiling').innerText()).toBe(': 3,000 read or 1,000 write units a second');
        expect(await page.locator('#faults').innerText()).toMatch(
          /^Fault throttle:1@GetItem\/orders: \d+ times\.$/,
        );
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect(overflow).toBe(0);
        expect(complaints).toEqual([]);
        await context.close();
      },
      30_000,
    );

    test('says so when the server is gone', async () => {
      const other = await serveDatabase();
      const page = await browser.newPage();
      await page.goto(other.url);
      await page.locator('#none', { hasText: 'There is no table yet.' }).waitFor();
      await other.stop();
      await page.locator('#away').waitFor({ state: 'visible' });
      expect(await page.locator('#away').innerText()).toBe('The server does not answer.');
      await page.close();
    }, 30_000);
  },
);
