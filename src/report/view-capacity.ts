// What each table and index took: units consumed, the hottest key, the hottest partition.
import { busierSide } from '../analysis/busier-side.ts';
import { readableResource } from '../analysis/resource-name.ts';
import type { ResourceResult, RunResult, StageTotals, VariantResult } from '../analysis/run-result.ts';
import { formatNumber, formatPercent } from '../analysis/wording.ts';
import { MISSING } from './number-format.ts';
import { partitionCountText } from './partition-count.ts';
import { type Cell, cell, left, right, type TableSection, type Tone } from './section.ts';
import { variantCell } from './variant-cell.ts';

/** From this use on a limit counts as reached. */
const FULL_RATIO = 0.95;

/** One row per variant and table or index: consumed units, hottest key, use of its units, hottest partition. */
export function capacityTable({ variants, target }: RunResult): TableSection | null {
  const knowsPartitions = variants.some((variant) =>
    variant.resources.some((one) => one.partitions !== null),
  );
  const hasLimits = variants.some((variant) => variant.resources.some(({ limit }) => limit !== undefined));
  const rows = variants.flatMap((variant) =>
    variant.resources.map((resource, index) => [
      ...capacityCells(variant, resource, index, target),
      ...(hasLimits ? [limitCell(variant, resource)] : []),
      ...(knowsPartitions ? [partitionCell(resource), cell(partitionCountText(resource))] : []),
    ]),
  );
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    isGrouped: true,
    title:
      'Capacity by table and index (consumed; the hottest key’s share of the Writes or Reads asked for' +
      (hasLimits ? '; use of the units provisioned, or of the maximum on demand' : '') +
      `${knowsPartitions ? '; use of a partition’s ceiling' : ''})`,
    columns: [
      left('variant'),
      left('on'),
      right('WCU/s'),
      right('RCU/s'),
      left('hottest key', { yields: 'cut' }),
      right('its share'),
      ...(hasLimits ? [right('of its units')] : []),
      ...(knowsPartitions ? [right('hottest partition'), right('partitions', { spareRank: 1 })] : []),
    ],
    rows,
  };
}

function capacityCells(
  variant: VariantResult,
  resource: ResourceResult,
  index: number,
  target: RunResult['target'],
): Cell[] {
  const isWriteHeavy = busierSide(resource) === 'write';
  const hottest = hottestKey(resource, isWriteHeavy);
  const about = resource.isExact ? '' : '≈';
  const isUnreported = resource.indexName !== null && target.capabilities.reportsIndexUnits === 'no';
  return [
    variantCell(variant, index),
    cell(readableResource(resource.resource, variant.tables)),
    cell(isUnreported ? MISSING : unitsText(variant, resource, 'write')),
    cell(isUnreported ? MISSING : unitsText(variant, resource, 'read')),
    cell(hottest?.key ?? MISSING),
    cell(
      hottest === null
        ? MISSING
        : `${about}${formatPercent(hottest.shareRatio)} of ${isWriteHeavy ? 'W' : 'R'}`,
    ),
  ];
}

/** Units consumed per second; marked where a part of them is estimated. */
function unitsText(variant: VariantResult, resource: ResourceResult, side: 'read' | 'write'): string {
  if (variant.measuredSeconds <= 0) return MISSING;
  const units = side === 'write' ? resource.writeUnits : resource.readUnits;
  const estimated = variant.workloads.some(({ measured }) => hasEstimate(measured, resource.resource, side));
  return `${estimated ? '≈' : ''}${formatNumber(units / variant.measuredSeconds)}`;
}

function hasEstimate({ estimatedUnits }: StageTotals, name: string, side: 'read' | 'write'): boolean {
  return estimatedUnits.some(
    (row) => row.resource === name && (side === 'write' ? row.writeUnits : row.readUnits) > 0,
  );
}

function hottestKey(
  { keys }: ResourceResult,
  isWriteHeavy: boolean,
): { readonly key: string; readonly shareRatio: number } | null {
  const share = (key: ResourceResult['keys'][number]): number =>
    isWriteHeavy ? key.writeShare : key.readShare;
  const hottest = keys.toSorted((a, b) => share(b) - share(a))[0];
  return hottest === undefined || share(hottest) === 0
    ? null
    : { key: hottest.key, shareRatio: share(hottest) };
}

/** Use of the units that the whole table or index is given, by whichever side is busier. */
function limitCell(
  { measuredSeconds }: VariantResult,
  { limit, readUnits, writeUnits }: ResourceResult,
): Cell {
  if (limit === undefined || measuredSeconds <= 0) return cell(MISSING);
  const use = (units: number, given: number | null): number =>
    given === null || given === 0 ? 0 : units / measuredSeconds / given;
  const write = use(writeUnits, limit.writeUnits);
  const read = use(readUnits, limit.readUnits);
  const isWriteHeavy = limit.writeUnits !== null && (limit.readUnits === null || write >= read);
  return cell(
    `${formatPercent(isWriteHeavy ? write : read)} of ${isWriteHeavy ? 'W' : 'R'}`,
    Math.max(write, read) >= FULL_RATIO ? 'bad' : 'plain',
  );
}

/** Use of the busiest partition, by whichever side is busier. */
function partitionCell({ partitions }: ResourceResult): Cell {
  if (partitions === null || partitions.length === 0) return cell(MISSING);
  const write = Math.max(...partitions.map((partition) => partition.writeUtilization));
  const read = Math.max(...partitions.map((partition) => partition.readUtilization));
  const tone: Tone = Math.max(write, read) >= FULL_RATIO ? 'bad' : 'plain';
  return write >= read
    ? cell(`${formatPercent(write)} of W`, tone)
    : cell(`${formatPercent(read)} of R`, tone);
}
