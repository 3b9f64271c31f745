// Memory over virtual hours: the simulated table at 1,000 operations a second over items that stay the same
// in number. Two hours unless told otherwise; the bar is about 24, which take some ten minutes: node --import
// jiti/register bench/memory-virtual.ts 24
import { memoryRows, watchMemory } from './memory-watch.ts';
import { report } from './rows.ts';

const HOURS_OF_BAR = 24;

const hours = Number(process.argv[2] ?? 2);
const course = await watchMemory(['--duration', `${hours}h`], { spanRatio: HOURS_OF_BAR / hours });
const operations =
  course.result.variants[0]?.workloads.reduce((sum, one) => sum + one.measured.finished, 0) ?? 0;
report(`Memory of ${hours} virtual hours at 1,000/s: ${operations.toLocaleString('en')} operations`, [
  ...memoryRows(course, `${HOURS_OF_BAR} h`),
  { what: 'time taken', value: course.wallSeconds, unit: 's' },
]);
