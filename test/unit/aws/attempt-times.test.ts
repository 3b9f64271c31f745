// Aim: the times of attempts go where they belong, whatever came of the attempt. Method: attempts with
// hand-set moments.
import { expect, test } from 'vitest';
import { AttemptTimesRecorder } from '../../../src/aws/attempt-times.ts';

const attempt = {
  startedAtUs: 100,
  sentAtUs: 130,
  firstByteAtUs: 630,
  endedAtUs: 700,
  connectUs: 0,
  tlsUs: 0,
};

test('an answered attempt: 30 µs in the queue, 500 µs to the first byte, 600 µs in all', () => {
  const times = new AttemptTimesRecorder();
  times.onAttempt(attempt);
  expect(times.result).toMatchObject({
    queue: { count: 1, maxUs: 30 },
    firstByte: { count: 1, maxUs: 500 },
    total: { count: 1, maxUs: 600 },
    connect: { count: 0, p99Us: 0 },
    tls: { count: 0 },
  });
});

test('an attempt that never got a connection, or no byte back, counts where it came to something', () => {
  const times = new AttemptTimesRecorder();
  times.onAttempt({ ...attempt, sentAtUs: 0, firstByteAtUs: 0 });
  times.onAttempt({ ...attempt, firstByteAtUs: 0 });
  const { queue, firstByte, total } = times.result;
  expect([queue.count, firstByte.count, total.count]).toEqual([1, 0, 2]);
});

test('connections count once each, TLS where there is some', () => {
  const times = new AttemptTimesRecorder();
  times.onOpened({ connectUs: 250, tlsUs: undefined });
  times.onOpened({ connectUs: 300, tlsUs: 900 });
  expect(times.result).toMatchObject({ connect: { count: 2, maxUs: 300 }, tls: { count: 1, maxUs: 900 } });
});
