// Aim: Contributor Insights is what it was before, whatever happens in between; rules are read for what they count.
// Method: a fake service with states that change over time and calls that fail where a test says so.
import {
  type ContributorInsightsMode,
  type DescribeContributorInsightsCommand,
  type DescribeContributorInsightsCommandOutput,
  UpdateContributorInsightsCommand,
} from '@aws-sdk/client-dynamodb';
import type { GetInsightRuleReportCommand } from '@aws-sdk/client-cloudwatch';
import { expect, test } from 'vitest';
import { ContributorInsights, type InsightsControlPort } from '../../../src/aws/contributor-insights.ts';
import { readInsightRule, ruleKind } from '../../../src/aws/insight-report.ts';
import type { LiveTime } from '../../../src/aws/live-time.ts';

interface FakeState {
  status: 'ENABLED' | 'DISABLED' | 'FAILED';
  mode?: ContributorInsightsMode;
  /** Looks for which it is still changing. */
  changingFor: number;
}

class FakeService implements InsightsControlPort {
  readonly states = new Map<string, FakeState>();
  readonly updates: string[] = [];
  /** Throws for some updates. */
  refuses: (update: string) => boolean = () => false;
  /** Switching on ends as FAILED. */
  fails = false;

  constructor(states: Record<string, Pick<FakeState, 'status' | 'mode'>>) {
    for (const [name, state] of Object.entries(states)) this.states.set(name, { changingFor: 0, ...state });
  }

  send(command: DescribeContributorInsightsCommand | UpdateContributorInsightsCommand): Promise<never> {
    // The port wants another answer for each command; only `never` is both.
    return Promise.resolve().then(() => this.#answer(command) as never);
  }

  get summary(): Record<string, string> {
    return Object.fromEntries([...this.states].map(([name, { status, mode }]) => [name, text(status, mode)]));
  }

  #answer(command: DescribeContributorInsightsCommand | UpdateContributorInsightsCommand): object {
    const { TableName = '', IndexName } = command.input;
    const name = IndexName === undefined ? TableName : `${TableName}/${IndexName}`;
    const state = this.states.get(name);
    if (state === undefined) throw Object.assign(new Error(name), { name: 'ResourceNotFoundException' });
    if (command instanceof UpdateContributorInsightsCommand) return this.#update(name, state, command);
    return this.#describe(name, state);
  }

  #update(name: string, state: FakeState, { input }: UpdateContributorInsightsCommand): object {
    const update = `${input.ContributorInsightsAction} ${name} ${input.ContributorInsightsMode ?? ''}`.trim();
    this.updates.push(update);
    if (this.refuses(update)) throw Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    state.changingFor = 2;
    if (input.ContributorInsightsAction === 'DISABLE') {
      state.status = 'DISABLED';
      delete state.mode;
    } else {
      state.status = this.fails ? 'FAILED' : 'ENABLED';
      state.mode = input.ContributorInsightsMode ?? 'ACCESSED_AND_THROTTLED_KEYS';
    }
    return {};
  }

  #describe(name: string, state: FakeState): Partial<DescribeContributorInsightsCommandOutput> {
    const isChanging = state.changingFor-- > 0;
    return {
      ContributorInsightsStatus: isChanging
        ? state.status === 'DISABLED'
          ? 'DISABLING'
          : 'ENABLING'
        : state.status,
      ...(state.mode === undefined ? {} : { ContributorInsightsMode: state.mode }),
      ContributorInsightsRuleList: [`DynamoDBContributorInsights-PKC-${name}-1`],
      ...(state.status === 'FAILED'
        ? { FailureException: { ExceptionName: 'LimitExceededException', ExceptionDescription: 'rules' } }
        : {}),
    };
  }
}

function text(status: string, mode: string | undefined): string {
  return mode === undefined ? status : `${status} ${mode}`;
}

const noTime: LiveTime = {
  wallMs: () => 0,
  scheduler: {
    monotonicMs: () => 0,
    after: (_, callback) => {
      queueMicrotask(callback);
      return () => undefined;
    },
    soon: (callback) => queueMicrotask(callback),
  },
};

const full = 'ACCESSED_AND_THROTTLED_KEYS';
const lean = 'THROTTLED_KEYS';
const resources = [
  { tableName: 't', indexName: null },
  { tableName: 't', indexName: 'i' },
];
const going = new AbortController().signal;

test.each([
  ['off', { status: 'DISABLED' }, 'accessed', [`ENABLE t ${full}`], ['DISABLE t']],
  ['off, throttled keys wanted', { status: 'DISABLED' }, 'throttled', [`ENABLE t ${lean}`], ['DISABLE t']],
  ['on as wanted', { status: 'ENABLED', mode: full }, 'accessed', [], []],
  ['on with less', { status: 'ENABLED', mode: lean }, 'accessed', [`ENABLE t ${full}`], [`ENABLE t ${lean}`]],
  // Narrowing it would delete what the rules have collected.
  ['on with more', { status: 'ENABLED', mode: full }, 'throttled', [], []],
  ['failed before', { status: 'FAILED' }, 'accessed', [`ENABLE t ${full}`], ['DISABLE t']],
] as const)('a table where it is %s', async (_, before, mode, switched, restored) => {
  const service = new FakeService({ t: before });
  const insights = new ContributorInsights(service, noTime);
  await insights.enable(resources.slice(0, 1), mode, going);
  expect(service.updates).toEqual(switched);
  await insights.restore();
  expect(service.updates.slice(switched.length)).toEqual(restored);
  expect(insights.changed).toEqual([]);
});

test('says what it was before, in between and after', async () => {
  const service = new FakeService({ t: { status: 'DISABLED' }, 't/i': { status: 'ENABLED', mode: lean } });
  const insights = new ContributorInsights(service, noTime);
  await insights.enable(resources, 'accessed', going);
  expect(await insights.restore()).toEqual([
    'Contributor Insights of t was put back: off before the run, on for accessed and throttled keys during it, off after it.',
    'Contributor Insights of t/i was put back: on for throttled keys before the run, on for accessed and throttled keys during it, on for throttled keys after it.',
  ]);
  expect(await insights.restore()).toEqual([]);
});

test('waits until it is on and takes the names of rules from the service', async () => {
  const service = new FakeService({ t: { status: 'DISABLED' }, 't/i': { status: 'DISABLED' } });
  const rules = await new ContributorInsights(service, noTime).enable(resources, 'accessed', going);
  expect(rules).toEqual([
    { name: 'DynamoDBContributorInsights-PKC-t-1', tableName: 't', indexName: null },
    { name: 'DynamoDBContributorInsights-PKC-t/i-1', tableName: 't', indexName: 'i' },
  ]);
});

test('restores what was switched on before the next one failed', async () => {
  const service = new FakeService({ t: { status: 'ENABLED', mode: lean }, 't/i': { status: 'DISABLED' } });
  service.refuses = (update) => update.startsWith('ENABLE t/i');
  const insights = new ContributorInsights(service, noTime);
  await expect(insights.enable(resources, 'accessed', going)).rejects.toMatchObject({
    code: 'CONTRIBUTOR_INSIGHTS_FAILED',
    fix: expect.stringContaining('dynamodb:UpdateContributorInsights'),
  });
  await insights.restore();
  expect(service.summary).toEqual({ t: `ENABLED ${lean}`, 't/i': 'DISABLED' });
});

test('says why it did not come up, and switches it off again', async () => {
  const service = new FakeService({ t: { status: 'DISABLED' } });
  service.fails = true;
  const insights = new ContributorInsights(service, noTime);
  await expect(insights.enable(resources.slice(0, 1), 'accessed', going)).rejects.toMatchObject({
    what: expect.stringContaining('LimitExceededException rules'),
  });
  await insights.restore();
});

test('restores all that it can, and names what it could not', async () => {
  const service = new FakeService({ t: { status: 'DISABLED' }, 't/i': { status: 'DISABLED' } });
  const insights = new ContributorInsights(service, noTime);
  await insights.enable(resources, 'accessed', going);
  service.refuses = (update) => update === 'DISABLE t/i';
  await expect(insights.restore()).rejects.toMatchObject({
    what: expect.stringContaining('t/i: CONTRIBUTOR_INSIGHTS_FAILED'),
    why: 't/i would go on collecting, which is billed',
  });
  expect(service.summary['t']).toBe('DISABLED');
  expect(insights.changed).toEqual(['t/i']);
});

test('after Ctrl-C while it comes up, it is restored all the same', async () => {
  const service = new FakeService({ t: { status: 'DISABLED' }, 't/i': { status: 'DISABLED' } });
  const insights = new ContributorInsights(service, noTime);
  const abort = new AbortController();
  service.refuses = () => {
    abort.abort();
    return false;
  };
  await insights.enable(resources, 'accessed', abort.signal);
  expect(service.updates).toEqual([`ENABLE t ${full}`]);
  await insights.restore();
  expect(service.summary).toEqual({ t: 'DISABLED', 't/i': 'DISABLED' });
});

test('of a table that is deleted nothing is restored', async () => {
  const service = new FakeService({ t: { status: 'DISABLED' } });
  const insights = new ContributorInsights(service, noTime);
  await insights.enable(resources.slice(0, 1), 'accessed', going);
  expect(insights.forget('t')).toBe(true);
  expect(insights.forget('t')).toBe(false);
  expect(await insights.restore()).toEqual([]);
  expect(service.updates).toEqual([`ENABLE t ${full}`]);
});

test.each([
  ['DynamoDBContributorInsights-PKC-t-1700000000000', { counts: 'accessed', by: 'partitionKey' }],
  ['DynamoDBContributorInsights-SKC-t-i-1', { counts: 'accessed', by: 'partitionAndSortKey' }],
  ['DynamoDBContributorInsights-PKT-PKC-1', { counts: 'throttled', by: 'partitionKey' }],
  ['DynamoDBContributorInsights-SKT-t', { counts: 'throttled', by: 'partitionAndSortKey' }],
  ['DynamoDBContributorInsights-NEW-t-1', undefined],
  ['my-PKC-rule', undefined],
])('the rule %s', (name, kind) => {
  expect(ruleKind(name)).toEqual(kind);
});

test('asks for 25 contributors by the minute, and sorts what comes', async () => {
  const inputs: GetInsightRuleReportCommand['input'][] = [];
  const port = {
    send: async ({ input }: GetInsightRuleReportCommand) => {
      inputs.push(input);
      return {
        $metadata: {},
        ApproximateUniqueCount: 2,
        Contributors: [
          { Keys: ['b'], ApproximateAggregateValue: 1, Datapoints: [] },
          {
            Keys: ['a'],
            ApproximateAggregateValue: 9,
            Datapoints: [
              { Timestamp: new Date(120_000), ApproximateValue: 4 },
              { Timestamp: new Date(60_000), ApproximateValue: 5 },
            ],
          },
        ],
      };
    },
  };
  const rule = { name: 'DynamoDBContributorInsights-PKC-t-1', tableName: 't', indexName: null };
  const report = await readInsightRule(port, rule, { fromMs: 60_000, untilMs: 180_000 });
  expect(inputs).toMatchObject([{ MaxContributorCount: 25, Period: 60, Metrics: ['MaxContributorValue'] }]);
  expect(report?.contributors).toEqual([
    {
      keys: ['a'],
      total: 9,
      highestMinute: 5,
      minutes: [
        { at: '1970-01-01T00:01:00.000Z', value: 5 },
        { at: '1970-01-01T00:02:00.000Z', value: 4 },
      ],
    },
    { keys: ['b'], total: 1, highestMinute: 0, minutes: [] },
  ]);
});
