// Memory over minutes of the wall clock: the lean client at 1,000 operations a second against dyno-load serve
// in another process, over items that stay the same in number. Ten minutes unless told otherwise, and what
// grew is extrapolated to an hour: more than ten minutes cannot tell. Run with: node --import jiti/register
// bench/memory-wall.ts 10
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { memoryRows, watchMemory } from './memory-watch.ts';
import { report } from './rows.ts';

const MINUTES_PER_HOUR = 60;

const minutes = Number(process.argv[2] ?? 10);
const server = fork(fileURLToPath(new URL('./serve-process.ts', import.meta.url)));
// Its one message is its address.
const url = await new Promise<string>((resolve) =>
  server.once('message', (message) => resolve(message as string)),
);
const args = ['--target', url, '--no-discard', '--duration', `${minutes}m`];
const course = await watchMemory(args, { spanRatio: MINUTES_PER_HOUR / minutes });
server.kill('SIGTERM');
const variant = course.result.variants[0];
const operations = variant?.workloads.reduce((sum, one) => sum + one.measured.outcomes.ok, 0) ?? 0;
report(
  `Memory of ${minutes} minutes of load at 1,000/s on the wall clock: ${operations.toLocaleString('en')} ok`,
  [
    ...memoryRows(course, 'an hour, extrapolated'),
    { what: 'lateness, p99', value: (variant?.generatorHealth.latenessP99Us ?? 0) / 1_000, unit: 'ms' },
  ],
);
