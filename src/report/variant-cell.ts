// The name of a variant in the tables of the report.
import type { VariantResult } from '../analysis/run-result.ts';
import { type Cell, cell } from './section.ts';

/** A variant is named once, in the first of its rows. */
export function variantCell({ name }: Pick<VariantResult, 'name'>, rowIndex: number): Cell {
  return cell(rowIndex === 0 ? name : '', 'strong');
}
