// The sample reports under reports/samples: which there are, and their frozen records. UPDATE_GOLDEN=1 runs
// their scenarios anew.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseRunResult } from '../../src/analysis/run-schema.ts';
import type { RunResult } from '../../src/analysis/run-result.ts';
import { onlyRecord, packageRoot, removeFolder, runCli, temporaryFolder } from './cli.ts';

/** Scenarios that ship, each with the length of its measured stage in the sample: short, to keep the files small. */
export const samples = [
  { scenario: 'sharding', duration: '10s' },
  { scenario: 'query-vs-scan', duration: '10s' },
] as const;

export type Sample = (typeof samples)[number];

/** Folder of a sample relative to the package, as `dyno-load report` takes it. */
export function sampleFolder({ scenario }: Sample): string {
  return join('reports', 'samples', scenario);
}

/** With UPDATE_GOLDEN=1, runs the scenario of a sample and freezes the record; otherwise does nothing. */
export async function refreshRecord(sample: Sample): Promise<void> {
  if (process.env.UPDATE_GOLDEN !== '1') return;
  const path = recordPath(sample);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(frozen(await run(sample)))}\n`);
}

export function sampleRecord(sample: Sample): RunResult {
  const path = recordPath(sample);
  return parseRunResult(JSON.parse(readFileSync(path, 'utf8')), path);
}

function recordPath(sample: Sample): string {
  return join(packageRoot, sampleFolder(sample), 'run.json');
}

async function run({ scenario, duration }: Sample): Promise<RunResult> {
  const cwd = await temporaryFolder();
  try {
    await runCli(['run', scenario, '--duration', duration], { cwd });
    return await onlyRecord(cwd, scenario);
  } finally {
    await removeFolder(cwd);
  }
}

/** The record with all that differs between equal runs set to plain values. */
function frozen(result: RunResult): RunResult {
  return {
    ...result,
    environment: {
      ...result.environment,
      startedAt: '2026-11-30T12:00:00.000Z',
      finishedAt: '2026-11-30T12:00:10.000Z',
      node: 'v20.19.0',
      platform: 'linux x64',
      cpu: 'any',
      cpuCount: 2,
    },
    variants: result.variants.map((variant) => ({
      ...variant,
      generatorHealth: {
        ...variant.generatorHealth,
        wallSeconds: 1,
        cpuSeconds: 1,
        operationsPerCpuSecond: 100_000,
      },
    })),
  };
}
