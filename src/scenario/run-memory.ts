// Does what a run keeps of its items fit into memory? Told before it starts, since a heap that is full ends
// the process without a report.
import { primaryKeyText } from '../dynamodb/key-text.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { IssueList } from './issues.ts';
import { type NewItems, newItemsOf } from './new-items.ts';
import type { PlannedPreload, RunPlan } from './run-plan.ts';

/** Where the simulated table lies, and how large that is. */
export interface Memory {
  /** What the heap of this process may take. */
  readonly heapBytes: number;
  /** What the machine has: keys and sizes lie outside of the heap. */
  readonly machineBytes: number;
  /** In virtual time: tables keep only keys and sizes of items that nobody looks at. */
  readonly keepsOnlySizes: boolean;
}

/**
 * Refuses variants that need more memory than there is for what they surely store.
 * @param options.file  the scenario file as the user named it
 * @returns a sentence for each that needs too much only if the table takes all that is written
 * @throws DynoLoadError RUN_TOO_LARGE
 */
export function checkRunMemory(
  plans: readonly RunPlan[],
  { file, ...memory }: Memory & { readonly file: string },
): readonly string[] {
  const issues = new IssueList(file);
  const warnings: string[] = [];
  for (const plan of plans) {
    issues.enterVariant(plan.variant.name);
    const needs = needsOf(plan, memory);
    const excess = excessOf(needs, 'least', memory);
    if (excess !== undefined) issues.add({ ...excess, code: 'RUN_TOO_LARGE' });
    const doubtful = excess === undefined ? excessOf(needs, 'most', memory) : undefined;
    if (doubtful !== undefined)
      warnings.push(
        `${plan.variant.name} ${doubtful.is} if the table takes all of them; ${doubtful.why}. If it comes to that: ${doubtful.fix}.`,
      );
    issues.enterVariant(undefined);
  }
  issues.throwIfAny();
  return warnings;
}

type Measure = 'least' | 'most';
type Amount = Readonly<Record<Measure, number>>;

interface Needs {
  readonly preloaded: number;
  readonly written: Amount;
  /** Bytes in the heap, and outside of it. */
  readonly heap: Amount;
  readonly flat: Amount;
}

function needsOf(plan: RunPlan, memory: Memory): Needs {
  const preloads = plan.preloads.map((preload) => preloadedPart(preload, plan, memory));
  const writtenParts = (items: readonly NewItems[]) => items.map((one) => writtenPart(one, plan, memory));
  const isLarge = (items: readonly NewItems[]) => {
    const parts = [...preloads, ...writtenParts(items)];
    return bytesOf(parts, false).most > memory.heapBytes || bytesOf(parts, true).most > memory.machineBytes;
  };
  const written = writtenParts(newItemsOf(plan, isLarge));
  const parts = [...preloads, ...written];
  return {
    preloaded: sum(preloads, 'least'),
    written: { least: sum(written, 'least'), most: sum(written, 'most') },
    heap: bytesOf(parts, false),
    flat: bytesOf(parts, true),
  };
}

/** Items of one kind. */
interface Part extends Amount {
  readonly bytesEach: number;
  readonly isFlat: boolean;
}

/** By the first item; fillers are counted and not kept. */
function preloadedPart({ count, tableName, itemAt }: PlannedPreload, plan: RunPlan, memory: Memory): Part {
  const texts = { itemTextBytes: 0, keyTextBytes: 0 };
  const keys = plan.tables.find((one) => one.tableName === tableName)?.keys;
  if (count > 0 && keys !== undefined) {
    const item = itemAt(0);
    texts.itemTextBytes = JSON.stringify(item).length;
    texts.keyTextBytes = primaryKeyText(item, keys).length;
  }
  return { least: count, most: count, ...storedAs(tableName, texts, { plan, memory }) };
}

/** Keys that come again are likely those of items that were put in place. */
function writtenPart(items: NewItems, plan: RunPlan, memory: Memory): Part {
  const preloads = plan.preloads.filter(({ tableName }) => tableName === items.tableName);
  const known = items.comeAgain ? preloads.reduce((total, { count }) => total + count, 0) : 0;
  return {
    least: Math.max(0, items.least - known),
    most: Math.max(0, items.most - known),
    ...storedAs(items.tableName, items, { plan, memory }),
  };
}

/**
 * Heap of the simulated store beside the texts of an item, and for its entry in each index. Measured with a
 * million small items: 500 bytes an item without indexes, 650 with one, texts of 100 bytes included.
 */
const BYTES_PER_ITEM = 400;
const BYTES_PER_ENTRY = 150;

/** Of an item of which only key and size are kept: some 60 bytes with a key of ten. */
const BYTES_PER_SIZE = 50;

function storedAs(
  tableName: string,
  { itemTextBytes, keyTextBytes }: Pick<NewItems, 'itemTextBytes' | 'keyTextBytes'>,
  { plan, memory }: { readonly plan: RunPlan; readonly memory: Memory },
): Pick<Part, 'bytesEach' | 'isFlat'> {
  const table = plan.tables.find((one) => one.tableName === tableName);
  const isFlat = memory.keepsOnlySizes && table !== undefined && hasOnlySizes(table, plan);
  const indexes = table === undefined ? 0 : table.globalIndexes.length + table.localIndexes.length;
  const bytesEach = isFlat
    ? BYTES_PER_SIZE + keyTextBytes
    : BYTES_PER_ITEM + indexes * BYTES_PER_ENTRY + itemTextBytes;
  return { bytesEach, isFlat };
}

/** As the simulated table decides: nobody looks at items, and neither index nor expiry needs them. */
function hasOnlySizes(table: TableSpec, { workloads }: RunPlan): boolean {
  return (
    workloads.every(({ looksAtItems = true }) => !looksAtItems) &&
    table.globalIndexes.length + table.localIndexes.length === 0 &&
    table.timeToLive === undefined
  );
}

function sum(parts: readonly Part[], measure: Measure): number {
  return parts.reduce((total, part) => total + part[measure], 0);
}

function bytesOf(parts: readonly Part[], isFlat: boolean): Amount {
  const ours = parts.filter((part) => part.isFlat === isFlat);
  const bytes = (measure: Measure) => ours.reduce((total, part) => total + part[measure] * part.bytesEach, 0);
  return { least: bytes('least'), most: bytes('most') };
}

interface Excess {
  readonly at: string;
  readonly is: string;
  readonly why: string;
  readonly fix: string;
}

function excessOf(needs: Needs, measure: Measure, { heapBytes, machineBytes }: Memory): Excess | undefined {
  const heap = needs.heap[measure];
  const all = heap + needs.flat[measure];
  const isHeap = heap > heapBytes;
  if (!isHeap && all <= machineBytes) return undefined;
  const written = needs.written[measure];
  const at = written < 1 ? 'data' : '';
  const less =
    written < 1
      ? 'lower count'
      : 'lower rates, stages, --duration or --rate-factor, or let load come back to the same keys';
  const is = `${itemsText(needs.preloaded, written)}, which take about ${gigabytes(isHeap ? heap : all)} GB of memory`;
  if (!isHeap)
    return {
      at,
      is,
      why: `the simulated table keeps them in memory, and this machine has ${gigabytes(machineBytes)} GB`,
      fix: less,
    };
  return {
    at,
    is,
    why: `the simulated table keeps them in memory, and this process may use ${gigabytes(heapBytes)} GB`,
    fix: `${less}, use filler(…) for long texts, or set NODE_OPTIONS=--max-old-space-size=${Math.ceil((heap * 1.25) / 2 ** 20)}`,
  };
}

function itemsText(preloaded: number, written: number): string {
  const preloads = `preloads ${count(preloaded)} items`;
  if (written < 1) return preloads;
  const writes = `writes about ${count(Number(written.toPrecision(2)))} new items`;
  return preloaded === 0 ? writes : `${preloads} and ${writes}`;
}

function count(value: number): string {
  return Math.ceil(value).toLocaleString('en-US');
}

function gigabytes(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1);
}
