// The verdict in one head line, its reasons, and what the recommended variant costs.
import { monthlyCost, variantCostPerMillion } from '../analysis/cost.ts';
import type { RunResult, VariantResult } from '../analysis/run-result.ts';
import { formatUsd } from '../analysis/wording.ts';
import { cell, type ListSection } from './section.ts';

const heads = {
  pass: { text: 'PASS', tone: 'good' },
  fail: { text: 'FAIL', tone: 'bad' },
  inconclusive: { text: 'INCONCLUSIVE', tone: 'doubtful' },
} as const;

/** The verdict of a run; always there. */
export function verdictSection({ verdict, variants, prices }: RunResult): ListSection {
  const { text, tone } = heads[verdict.status];
  const recommended = variants.find((variant) => variant.name === verdict.recommendedVariant);
  const choice = recommended === undefined ? '' : ` · recommended: ${recommended.name}`;
  return {
    kind: 'list',
    title: 'Verdict',
    entries: [
      {
        head: cell(`${text}${choice}`, tone),
        lines: [
          ...verdict.reasons.map((reason) => ({ label: 'because', text: reason })),
          ...(recommended === undefined ? [] : costLines(recommended, prices)),
        ],
      },
    ],
  };
}

/** By the prices of the record: what they are today may be another matter. */
function costLines(variant: VariantResult, prices: RunResult['prices']): { label: string; text: string }[] {
  const perMillion = variantCostPerMillion(variant);
  if (perMillion === null || variant.measuredSeconds <= 0 || prices === undefined) return [];
  const sum = (side: 'readUnits' | 'writeUnits'): number =>
    variant.resources.reduce((total, resource) => total + resource[side], 0) / variant.measuredSeconds;
  const demand = { readUnitsPerSecond: sum('readUnits'), writeUnitsPerSecond: sum('writeUnits') };
  const month = monthlyCost({ ...demand, dutyRatio: 1, provisionedUseRatio: 0.7 }, prices);
  return [
    {
      label: 'cost',
      text:
        `${formatUsd(perMillion)} per million operations on demand; at this rate around the clock ` +
        `${formatUsd(month.onDemand.usd)} a month on demand, ${formatUsd(month.provisioned.usd)} ` +
        `provisioned at 70 % use ` +
        `(${prices.region}, prices as of ${prices.asOf}, without storage)`,
    },
  ];
}
