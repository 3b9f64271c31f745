// Aim: what a machine tells of stolen time, CPU limits, heat and clocks is read right, and what it does not
// tell is null. Method: files as Linux writes them, before and after, in place of the system's own.
import { expect, test } from 'vitest';
import { MachineProbe, type SystemFacts, thisSystem } from '../../../src/engine/machine-health.ts';

type Files = Readonly<Record<string, string>>;

/** A system of two cores whose files are those of the moment. */
function systemOf(moments: { files: Files; idleMs?: number; totalMs?: number }[]): {
  system: SystemFacts;
  goOn(): void;
} {
  let at = 0;
  const now = () => moments[at] ?? { files: {} };
  return {
    system: {
      cores: 2,
      usableCores: 2,
      readText: (path) => now().files[path],
      coreTimes: () => ({ totalMs: now().totalMs ?? 0, idleMs: now().idleMs ?? 0 }),
    },
    goOn: () => void at++,
  };
}

function between(before: Files, after: Files) {
  const { system, goOn } = systemOf([{ files: before }, { files: after }]);
  const probe = new MachineProbe(system);
  probe.start();
  goOn();
  return probe.finish();
}

const nothing = {
  cores: 2,
  usableCores: 2,
  cpuLimitCores: null,
  busyRatio: null,
  stolenRatio: null,
  limitedRatio: null,
  thermalThrottles: null,
  frequencyLimitRatio: null,
};

test('a platform that tells nothing is no error', () => {
  expect(between({}, {})).toEqual(nothing);
});

test('files of another shape tell nothing', () => {
  const files = {
    '/proc/stat': 'intr 5\n',
    '/proc/self/cgroup': 'nonsense\n0::\n',
    '/sys/fs/cgroup/cpu.stat': 'usage_usec 5\n',
    '/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count': '<unsupported>\n',
    '/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq': '',
  };
  expect(between(files, files)).toEqual(nothing);
});

test('stolen time is a share of all time, guests not counted twice', () => {
  const stat = (idle: number, steal: number, guest: number) =>
    `cpu  100 10 50 ${idle} 5 1 2 ${steal} ${guest} 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n`;
  // 80 idle and 20 stolen ticks: 20 of 100.
  const health = between({ '/proc/stat': stat(1_000, 30, 0) }, { '/proc/stat': stat(1_080, 50, 999) });
  expect(health.stolenRatio).toBe(0.2);
});

test('cores are busy where they are not idle', () => {
  const { system, goOn } = systemOf([
    { files: {}, totalMs: 10_000, idleMs: 9_000 },
    { files: {}, totalMs: 14_000, idleMs: 10_000 },
  ]);
  const probe = new MachineProbe(system);
  goOn();
  expect(probe.finish().busyRatio).toBe(0.75);
});

const stat = (periods: number, throttled: number) =>
  `usage_usec 99\nnr_periods ${periods}\nnr_throttled ${throttled}\nthrottled_usec 5\n`;

test.each([
  ['version 2, seen from inside a container', '0::/\n', '/sys/fs/cgroup', 'cpu.max', '50000 100000\n'],
  [
    'version 2, of a service',
    '0::/a.slice/b.service\n',
    '/sys/fs/cgroup/a.slice/b.service',
    'cpu.max',
    '50000 100000',
  ],
  [
    'version 2, a limit above the own group',
    '0::/a.slice/b.service\n',
    '/sys/fs/cgroup/a.slice',
    'cpu.max',
    '50000 100000',
  ],
  ['version 2, seen through another namespace', '0::/../b\n', '/sys/fs/cgroup', 'cpu.max', '50000 100000'],
])('a CPU limit of cgroups, %s', (_, self, folder, file, limit) => {
  const files = { '/proc/self/cgroup': self, [`${folder}/${file}`]: limit };
  const health = between(
    { ...files, [`${folder}/cpu.stat`]: stat(100, 7) },
    { ...files, [`${folder}/cpu.stat`]: stat(300, 57) },
  );
  expect(health).toMatchObject({ limitedRatio: 0.25, cpuLimitCores: 0.5, usableCores: 0.5 });
});

test('a CPU limit of cgroups, version 1', () => {
  const folder = '/sys/fs/cgroup/cpu,cpuacct/docker/7';
  const files = {
    '/proc/self/cgroup': '4:memory:/docker/7\n3:cpu,cpuacct:/docker/7\n',
    [`${folder}/cpu.cfs_quota_us`]: '300000\n',
    [`${folder}/cpu.cfs_period_us`]: '100000\n',
  };
  const health = between(
    { ...files, [`${folder}/cpu.stat`]: stat(0, 0) },
    { ...files, [`${folder}/cpu.stat`]: stat(10, 1) },
  );
  // Three cores are allowed, and two there.
  expect(health).toMatchObject({ limitedRatio: 0.1, cpuLimitCores: 3, usableCores: 2 });
});

test.each([
  ['version 2', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' }],
  [
    'version 1',
    {
      '/proc/self/cgroup': '1:cpu:/\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    },
  ],
])('no limit in %s is none', (_, files) => {
  expect(between(files, files)).toMatchObject({ cpuLimitCores: null, usableCores: 2, limitedRatio: null });
});

test('heat is counted once for the package and for each core', () => {
  const thermal = (core0: number, core1: number, of: number) => ({
    '/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count': `${core0}\n`,
    '/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count': `${core1}\n`,
    '/sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count': `${of}\n`,
    '/sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count': `${of}\n`,
  });
  // 1 and 2 more of the cores, 4 of the package.
  expect(between(thermal(10, 20, 5), thermal(11, 22, 9)).thermalThrottles).toBe(7);
});

test('of clocks the most limited core counts', () => {
  const clocks = (core0: number, core1: number) => ({
    '/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq': `${core0}\n`,
    '/sys/devices/system/cpu/cpu1/cpufreq/scaling_max_freq': `${core1}\n`,
  });
  expect(between(clocks(4_000_000, 3_000_000), clocks(1_500_000, 3_000_000)).frequencyLimitRatio).toBe(0.5);
});

test('the system of this process can be asked, whatever it tells', () => {
  const { cores, usableCores } = new MachineProbe(thisSystem).finish();
  expect(cores).toBeGreaterThan(0);
  expect(usableCores).toBeGreaterThan(0);
});
