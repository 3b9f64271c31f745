// How to read the page: what the times mean and what is modelled. What marks in tables stand for is said below them.
import type { RunResult } from '../../analysis/run-result.ts';
import { html, type Markup } from './markup.ts';

/** Definitions that fit this run. */
export function renderReadingGuide(result: RunResult): Markup {
  return html`<dl class="guide">
${entriesFor(result).map(
  ([term, text]) => html`<dt>${term}</dt><dd>${text}</dd>
`,
)}</dl>
`;
}

function entriesFor({ target }: RunResult): [string, string][] {
  const isSimulated = target.kind === 'simulated';
  return [
    [
      'Response time',
      'from the moment an operation was due, by the schedule, to its end. It is what a caller waits, so this report leads with it.',
    ],
    [
      'Service time',
      'from the moment an operation was sent to its end. Response less service is lateness, and it is the load generator’s own; where the two differ, the spectrum shows service time as a dashed line.',
    ],
    ...(isSimulated
      ? ([
          [
            'Modelled latencies',
            'this run was answered by a model of DynamoDB in virtual time. Units, throttles and shares follow from DynamoDB’s published rules and from the constants listed above; latencies are drawn from a model, are not a forecast of yours, and are not compared between runs.',
          ],
        ] satisfies [string, string][])
      : []),
    [
      'Throttled',
      'an operation whose last answer was a throttle, as a share of those started. A request may be throttled for several reasons at once and then counts under each in the charts by reason.',
    ],
    [
      'Percentiles by nines',
      'each step to the right on the spectrum’s axis is ten times rarer: 90 %, 99 %, 99.9 %. A curve ends where the sample does: 1,000 operations say nothing of the slowest in 10,000.',
    ],
    [
      'Partition ceiling',
      'one partition gives at most 1,000 write and 3,000 read units a second, whatever the table could give in all. A key lives on one partition at a time, so a key asked for more is throttled however much room the others have.',
    ],
    [
      'Validity',
      'whether load generator and experiment can be believed. Figures of an invalid variant pass no goal; of a suspect one they need a second look.',
    ],
  ];
}
