// The head of the page: the question, what came of it, and what was found, before any figure.
import type { Finding, RunResult } from '../../analysis/run-result.ts';
import { formatNumber, formatPercent, joinNames } from '../../analysis/wording.ts';
import { viewRun } from '../view.ts';
import { validitySection } from '../view-validity.ts';
import { verdictSection } from '../view-verdict.ts';
import { html, type Markup, nothing } from './markup.ts';
import { renderLines, renderList } from './view-section.ts';

const badges = {
  pass: { text: '✓ PASS', tone: 'good' },
  fail: { text: '✗ FAIL', tone: 'bad' },
  inconclusive: { text: '? INCONCLUSIVE', tone: 'doubtful' },
} as const;

/** The question with scenario, target and setting. */
export function renderHeader(result: RunResult): Markup {
  const { origin, question, setting } = viewRun(result);
  return html`<header class="top">
<p class="kicker">${result.scenario.name} · dyno-load report</p>
<h1>${question}</h1>
<p class="quiet">${origin}</p>
<p class="quiet">${setting} · started ${minuteOf(result.environment.startedAt)}</p>
</header>
`;
}

/** Verdict, doubts about it, and findings. */
export function renderVerdict(result: RunResult): Markup {
  const { verdict, findings } = result;
  const badge = badges[verdict.status];
  const lines = verdictSection(result).entries.flatMap((entry) => entry.lines);
  const validity = validitySection(result);
  return html`<section id="verdict">
<h2>Verdict</h2>
<div class="verdict ${badge.tone}">
<p class="badge">${badge.text}</p>
${verdict.recommendedVariant === null ? null : html`<p class="recommended">Recommended: <strong>${verdict.recommendedVariant}</strong></p>`}
${renderLines(lines)}</div>
${validity === null ? null : html`<h3 class="minor">Doubts</h3>${renderList(validity)}`}
</section>
${
  findings.length === 0
    ? nothing
    : html`<section id="findings">
<h2>Findings</h2>
${findings.map(renderFinding)}</section>
`
}`;
}

function renderFinding({ code, variants, confidence, seen, because, advice, evidence }: Finding): Markup {
  return html`<article class="finding">
<h3><code>${code}</code> <span class="quiet">${joinNames(variants)} · ${confidence} confidence</span></h3>
${renderLines([
  { label: 'seen', text: seen },
  { label: 'because', text: because },
  { label: 'advice', text: advice },
])}<details><summary>Figures behind it</summary>
<dl class="figures">
${Object.entries(evidence).map(
  ([name, value]) => html`<div><dt>${spaced(name)}</dt><dd>${evidenceText(name, value)}</dd></div>
`,
)}</dl>
</details>
</article>
`;
}

function evidenceText(name: string, value: string | number): string {
  if (typeof value === 'string') return value;
  return name.endsWith('Ratio') ? formatPercent(value) : formatNumber(value);
}

/** `throttledRequests` as `throttled requests`; the unit at the end of a name stays there. */
function spaced(name: string): string {
  return name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/ ratio$/, '');
}

/** `2026-11-30T12:00:05.123Z` as `2026-11-30 12:00 UTC`; anything else as it is. */
function minuteOf(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):.*Z$/, '$1 $2 UTC');
}
