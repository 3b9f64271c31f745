// Runs the built command as users start it and looks at its memory as it goes: what the memory benchmarks
// have in common. The command is told to report by a few lines that Node runs before it; nothing of dyno-load
// knows of them.
import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRunResult } from '../src/analysis/run-schema.ts';
import type { RunResult } from '../src/analysis/run-result.ts';
import { type BenchRow, median } from './rows.ts';

/** One look at the process, bytes. */
interface MemorySample {
  readonly rss: number;
  /** Reserved for the heap. */
  readonly heapTotal: number;
  /** In use after the last full garbage collection; 0 before the first. */
  readonly live: number;
  /** Memory of buffers and typed arrays. */
  readonly external: number;
}

/** How memory went over one run of the command, in MB of 10⁶ bytes. */
interface MemoryCourse {
  /** Means of the resident size over the third and the last tenth of the run. */
  readonly startMb: number;
  readonly endMb: number;
  /** The mean of the tenth that had most. */
  readonly mostTenthMb: number;
  /** The most that was ever resident, reading the record and printing the report included. */
  readonly mostMb: number;
  /** The heap after full garbage collections, the least of each of these tenths. */
  readonly heapStartMb: number;
  readonly heapEndMb: number;
  /** Growth of the resident size and of that heap, extrapolated to the whole span asked for. */
  readonly growthMb: number;
  readonly heapGrowthMb: number;
  readonly wallSeconds: number;
  readonly result: RunResult;
}

/** What a long run may have resident at most. */
const MOST_MB = 250;

const BYTES_PER_MB = 1_000_000;
const TENTHS = 10;
const UNSETTLED_TENTHS = 2;
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Looks every 200 ms, and after each full garbage collection at what it left; the last word is the peak of
 * the whole process.
 */
const sampler = `
  import { PerformanceObserver, constants } from 'node:perf_hooks';
  const tell = (value) => process.connected && process.send(value);
  let live = 0;
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries())
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) live = process.memoryUsage().heapUsed;
  }).observe({ entryTypes: ['gc'] });
  setInterval(() => tell({ ...process.memoryUsage(), live }), 200).unref();
  process.on('exit', () => tell({ peak: process.resourceUsage().maxRSS * 1024 }));
`;

/**
 * Runs `bench/bounded-items.ts` with these arguments.
 * @param spanRatio  how many times longer than the run the span is for which growth is told
 */
export async function watchMemory(
  args: readonly string[],
  { spanRatio }: { readonly spanRatio: number },
): Promise<MemoryCourse> {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, shell: process.platform === 'win32' });
  const folder = mkdtempSync(join(tmpdir(), 'dyno-load-memory-'));
  try {
    const startMs = performance.now();
    const parameters = ['run', 'bench/bounded-items.ts', ...args, '--json', '--out', folder];
    const { samples, peak, stdout } = await runSampled(parameters);
    const wallSeconds = (performance.now() - startMs) / 1_000;
    const result = parseRunResult(JSON.parse(stdout));
    return { ...courseOf(samples, spanRatio), mostMb: peak / BYTES_PER_MB, wallSeconds, result };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Sampled {
  readonly samples: readonly MemorySample[];
  readonly peak: number;
  readonly stdout: string;
}

function runSampled(parameters: readonly string[]): Promise<Sampled> {
  const child = fork(join(root, 'dist/bin/dyno-load.js'), [...parameters], {
    cwd: root,
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(sampler)}`],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const samples: MemorySample[] = [];
  let peak = 0;
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
  child.on('message', (message) => {
    // What the sampler above sends, and nothing else is sent.
    const told = message as MemorySample | { readonly peak: number };
    if ('peak' in told) peak = told.peak;
    else samples.push(told);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 || code === 4) resolve({ samples, peak, stdout });
      else reject(new Error(`the run ended with ${code}`));
    });
  });
}

/**
 * Growth is the median slope between any two tenths, so that one dip or peak of a tenth does not tilt it. The
 * first two are left out: in these code is compiled, and the heap finds its size.
 */
function courseOf(samples: readonly MemorySample[], spanRatio: number) {
  const size = Math.floor(samples.length / TENTHS);
  if (size < 1)
    throw new Error(`${samples.length} samples are too few: let the run take ten seconds or more`);
  const tenths = Array.from({ length: TENTHS }, (_, tenth) =>
    samples.slice(tenth * size, (tenth + 1) * size),
  );
  for (const [tenth, some] of tenths.entries()) printTenth(tenth, some);
  const settled = tenths.slice(UNSETTLED_TENTHS);
  const [first = [], last = []] = [tenths[UNSETTLED_TENTHS], tenths.at(-1)];
  const growthOf = (mbOf: (tenth: readonly MemorySample[]) => number) =>
    medianSlope(settled.map(mbOf)) * TENTHS * spanRatio;
  return {
    startMb: meanRss(first),
    endMb: meanRss(last),
    mostTenthMb: Math.max(...tenths.map(meanRss)),
    heapStartMb: liveHeap(first),
    heapEndMb: liveHeap(last),
    growthMb: growthOf(meanRss),
    heapGrowthMb: growthOf(liveHeap),
  };
}

/** The median of the slopes between any two values, per step. */
function medianSlope(values: readonly number[]): number {
  return median(
    values.flatMap((value, at) => values.slice(at + 1).map((later, step) => (later - value) / (step + 1))),
  );
}

function printTenth(tenth: number, samples: readonly MemorySample[]): void {
  const external = Math.max(...samples.map((one) => one.external)) / BYTES_PER_MB;
  const reserved = Math.max(...samples.map((one) => one.heapTotal)) / BYTES_PER_MB;
  const columns = [meanRss(samples), reserved, liveHeap(samples), external].map((mb) =>
    mb.toFixed(1).padStart(8),
  );
  process.stderr.write(
    `  tenth ${String(tenth + 1).padStart(2)}: resident, heap, live heap, external, MB ${columns.join('')}\n`,
  );
}

function meanRss(samples: readonly MemorySample[]): number {
  return samples.reduce((sum, { rss }) => sum + rss, 0) / samples.length / BYTES_PER_MB;
}

function liveHeap(samples: readonly MemorySample[]): number {
  return Math.min(...samples.map(({ live }) => live)) / BYTES_PER_MB;
}

/** The course as rows. @param span  what growth is extrapolated to, for example `24 h` */
export function memoryRows(course: MemoryCourse, span: string): readonly BenchRow[] {
  const bar = { kind: 'at most', value: MOST_MB } as const;
  return [
    { what: 'resident, third tenth of the run', value: course.startMb, unit: 'MB' },
    { what: 'resident, last tenth', value: course.endMb, unit: 'MB' },
    { what: 'resident, tenth with the most', value: course.mostTenthMb, unit: 'MB', bar },
    { what: 'resident, most ever, report included', value: course.mostMb, unit: 'MB' },
    { what: 'heap after garbage collection, third tenth', value: course.heapStartMb, unit: 'MB' },
    { what: 'heap after garbage collection, last tenth', value: course.heapEndMb, unit: 'MB' },
    { what: `growth of the resident size over ${span}`, value: course.growthMb, unit: 'MB' },
    { what: `growth of that heap over ${span}`, value: course.heapGrowthMb, unit: 'MB' },
  ];
}
