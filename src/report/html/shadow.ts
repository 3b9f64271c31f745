// What the capacity model would have refused of a live load, on a target that does not throttle. Modelled, and kept apart from what was
// measured.
import { readableResource } from '../../analysis/resource-name.ts';
import type { RunResult, VariantResult } from '../../analysis/run-result.ts';
import { dominantThrottle } from '../../analysis/throttles.ts';
import { formatNumber, formatPercent } from '../../analysis/wording.ts';
import { MISSING } from '../number-format.ts';
import { cell, type TableSection } from '../section.ts';
import { renderHeat } from './heat.ts';
import { html, type Markup } from './markup.ts';
import { renderTable } from './view-section.ts';

/** The modelled throttles and heat of all variants that were shadowed; null where none was. */
export function renderShadow(result: RunResult): Markup | null {
  const shadowed = result.variants.flatMap((variant) =>
    variant.shadow === undefined ? [] : [{ ...variant, resources: variant.shadow.resources }],
  );
  const first = shadowed[0]?.shadow;
  if (first === undefined) return null;
  return html`<p class="quiet">The target did not throttle. The same requests were fed into the capacity model, preset ${first.preset}: what follows is what DynamoDB would have refused by that model, not what was measured.</p>
${renderTable(throttledTable(shadowed))}${renderHeat({ ...result, variants: shadowed })}`;
}

function throttledTable(variants: readonly VariantResult[]): TableSection {
  return {
    kind: 'table',
    title: 'Would have been throttled, modelled',
    isGrouped: true,
    columns: [
      { head: 'variant', align: 'left' },
      { head: 'workload', align: 'left' },
      { head: 'operations', align: 'right' },
      { head: 'throttled', align: 'right' },
      { head: 'reason', align: 'left' },
      { head: 'on', align: 'left' },
    ],
    rows: variants.flatMap((variant) =>
      (variant.shadow?.workloads ?? []).map(({ name, operations, throttledOperations, throttles }, index) => {
        const most = dominantThrottle({ throttles });
        return [
          cell(index === 0 ? variant.name : '', 'strong'),
          cell(name),
          cell(formatNumber(operations)),
          cell(
            operations === 0 ? MISSING : formatPercent(throttledOperations / operations),
            throttledOperations > 0 ? 'bad' : 'plain',
          ),
          cell(most?.reason ?? MISSING),
          cell(most === null ? MISSING : readableResource(most.resource, variant.tables)),
        ];
      }),
    ),
  };
}
