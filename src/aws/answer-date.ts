// What the clock of a server says, by the date of an answer.
import { headerValue } from '../http/attempt.ts';
import { DynamoDbTarget } from './dynamodb-target.ts';
import type { Endpoint } from './endpoint.ts';

const TIMEOUT_MS = 10_000;

/**
 * The date of any answer, ms since 1970; a refusal carries one too.
 * @returns undefined where none came, or it has none
 */
export async function dateOfAnswer(endpoint: Endpoint, wallMs: () => number): Promise<number | undefined> {
  const nowUs = () => Math.round(performance.now() * 1_000);
  const target = new DynamoDbTarget({ endpoint, nowUs, wallMs, attemptTimeoutMs: TIMEOUT_MS });
  const date = await new Promise<string | undefined>((resolve) => {
    target.post('DynamoDB_20120810.ListTables', '{"Limit":1}', ({ answer }) =>
      resolve(answer && headerValue(answer.head, 'date')),
    );
  });
  target.close();
  const dateMs = Date.parse(date ?? '');
  return Number.isNaN(dateMs) ? undefined : dateMs;
}
