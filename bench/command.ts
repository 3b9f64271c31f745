// How long a user waits for `dyno-load run scenarios/sharding.ts`, from the start of the process to its end,
// with the package as built. Wall-clock time: on a busy machine it says more about the machine. Run with: npm
// run build && node --import jiti/register bench/command.ts
import { runBuilt } from './built-command.ts';
import { median, report } from './rows.ts';

const ROUNDS = 5;

const runs = Array.from({ length: ROUNDS }, () => runBuilt('scenarios/sharding.ts'));
report(`dyno-load run scenarios/sharding.ts, median of ${ROUNDS}`, [
  {
    what: 'from start to end',
    value: median(runs.map(({ wallSeconds }) => wallSeconds)),
    unit: 's',
    bar: { kind: 'at most', value: 10 },
  },
  { what: 'processor time of it', value: median(runs.map(({ cpuSeconds }) => cpuSeconds)), unit: 's' },
]);
