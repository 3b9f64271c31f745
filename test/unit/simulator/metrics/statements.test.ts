// Aim: statements of PartiQL count in CloudWatch under their own operations, by verb or by reading and
// writing, consume and throttle as what they come to, and leave no trace in Contributor Insights. Method: an
// observed database, a few statements, sums with their arithmetic.
import { describe, expect, test } from 'vitest';
import type { MetricKey } from '../../../../src/simulator/metrics/service-metrics.ts';
import { FIRST_MINUTE, ObservedDatabase, poor } from '../../../support/observed-database.ts';
import { ordersTable, plainOrders } from '../../../support/simulated-orders.ts';

const insert = (PK: string, bytes = 10) => ({
  Statement: `INSERT INTO plain VALUE {'PK': ?, 'body': ?}`,
  Parameters: [{ S: PK }, { S: 'x'.repeat(bytes) }],
});
const key = (metricName: string, more: Partial<MetricKey> = {}): MetricKey => ({
  metricName,
  tableName: 'plain',
  ...more,
});
const single = { operation: 'ExecuteStatement' };
const together = { operation: 'ExecuteTransaction' };

function observed(): ObservedDatabase {
  const db = new ObservedDatabase({ tables: [plainOrders, ordersTable] });
  db.activity.insights.update({ tableName: 'plain', action: 'ENABLE' }, 0);
  db.send('ExecuteStatement', insert('a', 1_500));
  db.send('ExecuteStatement', { Statement: 'SELECT * FROM plain' });
  db.send('ExecuteTransaction', { TransactStatements: [insert('b'), insert('c')] });
  db.send('ExecuteTransaction', {
    TransactStatements: [{ Statement: `SELECT * FROM plain WHERE PK = 'a'` }],
  });
  return db;
}

describe('statements', () => {
  test.each<[string, number, MetricKey]>([
    ['2 for 1.5 KB, and twice 2 in the transaction', 6, key('ConsumedWriteCapacityUnits')],
    ['a scan, and 2 for the transacted read', 2.5, key('ConsumedReadCapacityUnits')],
    ['the item of the scan', 1, key('ReturnedItemCount', single)],
    ['the same by its verb', 1, key('ReturnedItemCount', { ...single, verb: 'PartiQLSelect' })],
    ['none by another verb', 0, key('ReturnedItemCount', { ...single, verb: 'PartiQLInsert' })],
  ])('consume and return: %s', (_, sum, metric) => {
    expect(observed().sum(metric)).toBe(sum);
  });

  test('are listed by operation, verb and type', () => {
    const listed = observed()
      .activity.metrics.list(FIRST_MINUTE + 1)
      .filter(({ metricName }) => metricName === 'SuccessfulRequestLatency')
      .map(({ operation, verb, operationType }) => [operation, verb ?? operationType]);
    expect(listed).toEqual([
      ['ExecuteStatement', undefined],
      ['ExecuteTransaction', undefined],
      ['ExecuteStatement', 'PartiQLInsert'],
      ['ExecuteStatement', 'PartiQLSelect'],
      ['ExecuteTransaction', 'Write'],
      ['ExecuteTransaction', 'Read'],
    ]);
  });

  test('throttle events are the table’s, and one request counts once', () => {
    const db = new ObservedDatabase({ tables: [{ ...plainOrders, billing: poor, start: { kind: 'new' } }] });
    db.send('ExecuteStatement', insert('a', 5_000));
    expect(db.send('ExecuteStatement', insert('b')).kind).toBe('throttled');
    expect(db.send('BatchExecuteStatement', { Statements: [insert('c')] }).kind).toBe('partial');
    expect(db.sum(key('WriteThrottleEvents'))).toBe(2);
    expect(db.sum(key('ThrottledRequests', { ...single, verb: 'PartiQLInsert' }))).toBe(1);
    expect(db.sum(key('ThrottledRequests', { operation: 'BatchExecuteStatement' }))).toBe(0);
  });

  test('failed conditions count on the table of their statement', () => {
    const db = observed();
    db.send('ExecuteStatement', insert('a'));
    db.send('ExecuteTransaction', {
      TransactStatements: [{ Statement: `UPDATE plain SET n = 1 WHERE PK = 'none'` }, insert('d')],
    });
    expect(db.sum(key('ConditionalCheckFailedRequests'))).toBe(2);
  });

  test('a batch counts what failed statements cost, also where it is not reported', () => {
    const db = new ObservedDatabase({ tables: [plainOrders, ordersTable] });
    db.send('ExecuteStatement', insert('a', 3_000));
    db.send('BatchExecuteStatement', { Statements: [insert('a')] });
    expect(db.sum(key('ConsumedWriteCapacityUnits'))).toBe(6);
  });

  test('Contributor Insights sees none of them', () => {
    const db = observed();
    expect(db.accesses.length).toBeGreaterThan(0);
    expect(db.accesses.every(({ isPartiql }) => isPartiql === true)).toBe(true);
    const rules = db.activity.insights.rules(FIRST_MINUTE * 60_000);
    expect(rules.length).toBeGreaterThan(0);
    const most = { maxContributors: 10, orderBy: 'Sum', periodMinutes: 1 } as const;
    const span = { fromMinute: FIRST_MINUTE, untilMinute: FIRST_MINUTE + 1 };
    for (const rule of rules) expect(rule.report(span, most).contributors).toEqual([]);
    db.send('PutItem', { TableName: 'plain', Item: { PK: { S: 'a' } } });
    expect(rules.some((rule) => rule.report(span, most).contributors.length > 0)).toBe(true);
  });

  test('metrics of what nobody did have no points', () => {
    expect(observed().sum(key('ThrottledRequests', together))).toBe(0);
    const range = { fromMinute: FIRST_MINUTE, untilMinute: FIRST_MINUTE + 1 };
    expect(
      observed().activity.metrics.points(key('ThrottledRequests', { verb: 'PartiQLSelect' }), range),
    ).toEqual([]);
  });
});
