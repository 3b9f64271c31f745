// The live page of a server: one answer with everything in it, nothing from elsewhere. Its script asks for the
// state each second and puts names and figures into the page as text, never as markup. The script is text here, as
// the server's compiler knows no browser; a test opens it in one.
import { createHash } from 'node:crypto';
import type { HttpResponse } from '../wire/http-response.ts';

/** Where the page finds the state. */
export const STATE_PATH = '/dyno-load/state.json';

const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --page: #ffffff; --card: #f6f8fa;
  --cool: #d8e6f7; --warm: #4c8ed9; --hot: #d9480f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9aa7b4; --line: #30363d; --page: #0d1117; --card: #161b22;
    --cool: #1b2a3d; --warm: #3f7fca; --hot: #f0883e; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--page); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.25rem; margin: 0 0 .25rem; }
h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
.soft { color: var(--soft); }
.bad { color: var(--bad); font-weight: 600; }
.card { border: 1px solid var(--line); background: var(--card); border-radius: 6px; padding: .75rem; margin: .75rem 0; }
.head { display: flex; flex-wrap: wrap; gap: .15rem 1rem; align-items: baseline; }
.resource { margin-top: .6rem; }
.resource > p { display: flex; flex-wrap: wrap; gap: 0 .75rem; overflow-wrap: anywhere; }
.map { display: flex; height: 1.5rem; border: 1px solid var(--line); border-radius: 3px; overflow: hidden; }
.part { flex: 0 0 auto; min-width: 1px; background: var(--cool); position: relative; border-right: 1px solid var(--page); }
.part:last-child { border-right: 0; }
.fill { position: absolute; left: 0; right: 0; bottom: 0; background: var(--warm); }
.fill.hot { background: var(--hot); }
#away { display: none; }
.away #away { display: block; }
.away main { opacity: .5; }
`;

const script = `
'use strict';
const statePath = ${JSON.stringify(STATE_PATH)};
const PERIOD_MS = 1000;
let before;
const byId = (id) => document.getElementById(id);
const number = (value, digits = 0) => value.toLocaleString('en-US', { maximumFractionDigits: digits });
const make = (name, className, text) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
const rate = (now, then, seconds) => (seconds > 0 ? Math.max(0, now - then) / seconds : 0);

function showResource(resource, old, seconds) {
  const box = make('section', 'resource');
  const heatBefore = new Map((old ? old.partitions : []).map(([id, , heat]) => [id, heat]));
  const map = make('div', 'map');
  map.setAttribute('role', 'img');
  let from = 0;
  let hottest = 0;
  for (const [id, until, heat] of resource.partitions) {
    const perSecond = old === undefined ? 0 : rate(heat, heatBefore.get(id) ?? 0, seconds);
    const use = perSecond / resource.ceilingPerSecond;
    hottest = Math.max(hottest, use);
    const part = make('div', 'part');
    part.style.width = (until - from) * 100 + '%';
    part.title = 'partition ' + id + ': ' + number(use * 100, 1) + ' % of what it serves';
    const fill = make('div', use >= 0.8 ? 'fill hot' : 'fill');
    fill.style.height = Math.min(100, use * 100) + '%';
    part.append(fill);
    map.append(part);
    from = until;
  }
  const count = resource.partitionCount;
  map.setAttribute('aria-label', resource.name + ': ' + count + ' partitions, the hottest at ' + number(hottest * 100) + ' percent');
  const line = make('p');
  line.append(
    make('span', '', resource.name),
    make('span', 'soft', number(count) + (count === 1 ? ' partition' : ' partitions')),
    make('span', hottest >= 0.8 ? 'bad' : 'soft', 'hottest: ' + number(hottest * 100) + ' %'),
  );
  if (count > resource.partitions.length) line.append(make('span', 'soft', 'the first ' + resource.partitions.length + ' are shown'));
  box.append(line, map);
  return box;
}

function showTable(table, old, seconds) {
  const card = make('article', 'card');
  const head = make('div', 'head');
  const throttled = old ? rate(table.throttles, old.throttles, seconds) : 0;
  head.append(
    make('h2', '', table.name),
    make('span', 'soft', table.status + ', ' + table.billing),
    make('span', 'soft', number(table.items) + ' items'),
    make('span', '', number(old ? rate(table.requests, old.requests, seconds) : 0) + ' requests/s'),
    make('span', throttled > 0 ? 'bad' : 'soft', number(throttled) + ' throttled/s, ' + number(table.throttles) + ' in all'),
  );
  card.append(head);
  for (const resource of table.resources)
    card.append(showResource(resource, old && old.resources.find(({ name }) => name === resource.name), seconds));
  return card;
}

function show(state) {
  const seconds = before ? (state.atMs - before.atMs) / 1000 : 0;
  const oldTables = new Map((before ? before.tables : []).map((table) => [table.name, table]));
  byId('model').textContent = 'Model "' + state.preset + '"' +
    (state.throughputScale === 1 ? '' : ', throughput multiplied by ' + state.throughputScale) + '.';
  byId('ceiling').textContent = ': ' + number(state.partition.readUnits, 1) + ' read or ' +
    number(state.partition.writeUnits, 1) + ' write units a second';
  byId('sums').textContent = number(state.requests) + ' requests, ' + number(state.throttles) + ' throttled, ' +
    number(state.errors) + ' refused or failed.';
  byId('faults').replaceChildren(...state.faults.map(({ rule, count }) => make('p', '', 'Fault ' + rule + ': ' + number(count) + ' times.')));
  byId('tables').replaceChildren(...state.tables.map((table) => showTable(table, oldTables.get(table.name), seconds)));
  byId('none').textContent = state.tableCount === 0
    ? 'There is no table yet.'
    : state.tableCount > state.tables.length ? number(state.tableCount) + ' tables; the first ' + state.tables.length + ' are shown.' : '';
  before = state;
}

async function look() {
  try {
    const response = await fetch(statePath, { cache: 'no-store' });
    if (!response.ok) throw new Error('status ' + response.status);
    show(await response.json());
    document.body.classList.remove('away');
  } catch {
    document.body.classList.add('away');
    before = undefined;
  }
  setTimeout(look, PERIOD_MS);
}
look();
`;

const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = [
  "default-src 'none'",
  `script-src ${digestOf(script)}`,
  `style-src ${digestOf(style)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>dyno-load serve</title>
<style>${style}</style>
</head>
<body>
<h1>dyno-load serve</h1>
<p class="soft">Simulated DynamoDB. <span id="model"></span> A bar is the hash range of a table or index, each part a partition;
it fills as it comes near what a partition serves<span id="ceiling"></span>, refused requests included.</p>
<p id="sums" class="soft"></p>
<p id="away" class="bad" role="status">The server does not answer.</p>
<main>
<div id="faults"></div>
<p id="none" class="soft"></p>
<div id="tables"></div>
</main>
<script>${script}</script>
</body>
</html>
`;

/** Kept from frames, caches and guesses of the browser. */
const guarded = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The page itself. */
export const livePage: HttpResponse = {
  status: 200,
  body: page,
  headers: { ...guarded, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
};

/** The state that it asks for. */
export function stateAnswer(state: object): HttpResponse {
  return {
    status: 200,
    body: JSON.stringify(state),
    headers: {
      ...guarded,
      'content-type': 'application/json',
      'cross-origin-resource-policy': 'same-origin',
    },
  };
}
