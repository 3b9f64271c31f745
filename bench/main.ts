// Runs every benchmark, one after another, each in a process of its own, and prints one table of what they
// say and what they are held to. The table is written to bench/results too, with the machine it is of.
// Figures are ratios within one run, or of processor time, so that they mean the same on other machines;
// nothing here fails a build. Run with: npm run bench [-- lean-client …]
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { type BenchRow, isMet, valueText } from './rows.ts';

const benchmarks = ['lean-client', 'schedule', 'simulated', 'command', 'serve', 'memory-virtual'];

/** Those that take so long that they run only when they are named. */
const longOnes = ['memory-wall'];

/**
 * Those that measure modules in a process of their own, compiled to dist/bench. Under jiti each call of a
 * function from another file goes through a proxy: a fifth of the lean client's time, which no user of the
 * package pays. The others measure the package itself.
 */
const ofModules: ReadonlySet<string> = new Set(['lean-client', 'schedule', 'serve']);

interface BenchReport {
  readonly title: string;
  readonly rows: readonly BenchRow[];
}

/** What one benchmark reports. */
function run(name: string): Promise<BenchReport> {
  const isCompiled = ofModules.has(name);
  const file = isCompiled ? `../dist/bench/bench/${name}.js` : `./${name}.ts`;
  const execArgv = isCompiled ? [] : ['--import', 'jiti/register'];
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv });
  return new Promise((resolve, reject) => {
    let told: BenchReport | undefined;
    // Its one message is its report; see `report` in rows.ts.
    child.once('message', (message) => {
      told = message as BenchReport;
    });
    child.once('exit', (code) => {
      if (told) resolve(told);
      else reject(new Error(`${name} ended with ${code} and no report`));
    });
  });
}

function tableOf(reports: readonly BenchReport[]): string {
  const table = new Table({
    head: ['', 'measured', 'bar', ''],
    colAligns: ['left', 'right', 'right', 'left'],
    style: { head: [], border: [] },
  });
  for (const { title, rows } of reports) {
    table.push([{ colSpan: 4, content: title }]);
    for (const row of rows) table.push([`  ${row.what}`, valueText(row), barText(row), verdictText(row)]);
  }
  return table.toString();
}

function barText({ bar, unit }: BenchRow): string {
  return bar === undefined ? '' : `${bar.kind} ${valueText({ value: bar.value, unit })}`;
}

function verdictText(row: BenchRow): string {
  const met = isMet(row);
  return met === undefined ? '' : met ? 'met' : 'missed';
}

function machine(): string {
  const [first] = cpus();
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `${first?.model ?? 'processor'}, ${cpus().length} cores, Node ${process.version}; load of the machine before: ${load}`;
}

const asked = process.argv.slice(2);
const known = [...benchmarks, ...longOnes];
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`no benchmark ${unknown.join(', ')}; there are ${known.join(', ')}`);
const heading = machine();
const reports: BenchReport[] = [];
for (const name of asked.length > 0 ? asked : benchmarks) {
  process.stderr.write(`${name} …\n`);
  reports.push(await run(name));
}
const text = `${heading}\n${tableOf(reports)}\n`;
process.stdout.write(text);
const folder = fileURLToPath(new URL('./results/', import.meta.url));
mkdirSync(folder, { recursive: true });
const stamp = new Date(Date.now()).toISOString().replace(/[:.]/g, '-');
writeFileSync(`${folder}${stamp}.txt`, text);
writeFileSync(`${folder}${stamp}.json`, `${JSON.stringify({ heading, reports }, null, 2)}\n`);
