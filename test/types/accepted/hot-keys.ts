// Keys of every distribution, each form once.
import {
  defineScenario,
  type Distribution,
  exponential,
  gaussian,
  get,
  hotspot,
  observed,
  preload,
  put,
  weighted,
  zipfian,
} from 'dyno-load';

const sharesOfTopKeys: readonly number[] = [0.21, 0.08, 0.03];

export default defineScenario({
  question: 'Which distribution of keys does the table bear?',
  parameters: {
    keys: {
      zipfian: zipfian(1.1),
      moving: hotspot({ share: 0.9, of: 0.01, moveEvery: '30s' }),
      bell: gaussian({ mean: 0.3, deviation: 0.05 }),
      usualBell: gaussian(),
      falling: exponential({ share: 0.95, of: 0.1 }),
      parts: weighted([{ weight: 3 }, { weight: 1, count: 9 }, { weight: 1, count: 'rest' }]),
      seen: observed(sharesOfTopKeys),
    } satisfies Record<string, Distribution>,
  },
  tables: () => ({ keys: { partition: 'PK' } }),
  data: () => ({ items: preload({ count: 1_000, item: ({ index }) => ({ PK: `p${index}` }) }) }),
  workloads: ({ keys }, { items }) => ({
    read: get({ rate: 100, key: ({ random }) => ({ PK: items.pick(random, keys).PK }) }),
    write: put({ rate: 10, item: ({ random }) => ({ PK: items.pick(random, gaussian()).PK }) }),
  }),
});
