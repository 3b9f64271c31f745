// Aim: faults are read as they are written, and what is wrong is said so that it can be put right. Method: rows.
import { describe, expect, test } from 'vitest';
import { parseFaultRule } from '../../../../src/serve/faults/fault-rule.ts';

describe('a fault', () => {
  test.each([
    ['latency=200ms:0.01', { kind: 'latency', latencyUs: 200_000, probability: 0.01 }],
    ['5xx:0.001', { kind: '5xx', moment: 'either' }],
    ['5xx=before:1', { kind: '5xx', moment: 'before', probability: 1 }],
    ['drop=after:0.5', { kind: 'drop', moment: 'after' }],
    ['throttle:0.05@PutItem', { kind: 'throttle', operation: 'PutItem', tableName: undefined }],
    ['throttle:0.05/orders', { operation: undefined, tableName: 'orders' }],
    [
      ' partial:0.1@BatchWriteItem/a.b-c_d ',
      { operation: 'BatchWriteItem', tableName: 'a.b-c_d', probability: 0.1 },
    ],
  ])('%j is read', (text, expected) => {
    expect(parseFaultRule(text)).toMatchObject({ text: text.trim(), ...expected });
  });

  test.each([
    ['', /begins with no kind of fault: it must be one of latency, 5xx, throttle, partial, drop/],
    ['slow:0.1', /begins with no kind/],
    ['throttle', /needs a probability .* – for example throttle:0\.01/],
    ['throttle:', /needs a probability/],
    ['throttle:0', /needs a probability/],
    ['throttle:1.01', /needs a probability/],
    ['throttle:5%', /needs a probability/],
    ['latency:0.1', /needs a time with its unit.* – for example latency=200ms:0\.01/],
    ['latency=200:0.1', /needs a time with its unit/],
    ['latency=2h:0.1', /an hour at most/],
    ['throttle=2:0.1', /throttle takes no value/],
    ['drop=never:0.1', /drop takes "before" or "after"/],
    ['throttle:0.1@putItem', /names the operation "putItem"/],
    ['throttle:0.1/', /a table's name must follow/],
    ['throttle:0.1/ab', /no table can have that name/],
    ['throttle:0.1@PutItem/a b c', /no table can have that name/],
    ['partial:0.1@PutItem', /only BatchWriteItem and BatchGetItem are served in part/],
    ['partial:0.1@BatchExecuteStatement', /only BatchWriteItem and BatchGetItem are served in part/],
  ])('%j is refused', (text, expected) => {
    expect(parseFaultRule(text)).toMatch(expected);
  });
});
