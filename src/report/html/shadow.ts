// What the capacity model would have refused of a live load, on a target that does not throttle. Modelled,
// and kept apart from what was measured.
import type { RunResult } from '../../analysis/run-result.ts';
import { shadowTable } from '../view-shadow.ts';
import { renderHeat } from './heat.ts';
import { html, type Markup } from './markup.ts';
import { renderTable } from './view-section.ts';

/** The modelled throttles and heat of all variants that were shadowed; null where none was. */
export function renderShadow(result: RunResult): Markup | null {
  const shadowed = result.variants.flatMap((variant) =>
    variant.shadow === undefined ? [] : [{ ...variant, resources: variant.shadow.resources }],
  );
  const first = shadowed[0]?.shadow;
  const table = shadowTable(result);
  if (first === undefined || table === null) return null;
  return html`<p class="quiet">The target did not throttle. The same requests were fed into the capacity model, preset ${first.preset}: what follows is what DynamoDB would have refused by that model, not what was measured.</p>
${renderTable(table)}${renderHeat({ ...result, variants: shadowed })}`;
}
