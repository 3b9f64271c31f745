// Client request tokens of TransactWriteItems: the same token with the same content within ten minutes
// changes nothing again and is charged as reads.
// @see "Managing complex workflows with DynamoDB transactions",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html, read 2026-11-30
import { ApiError } from '../dynamodb/api-error.ts';
import type { TransactWriteItem } from '../dynamodb/operation.ts';
import { hashText } from '../prng.ts';
import { US_PER_MINUTE } from '../units.ts';

const TOKEN_LIFE_US = 10 * US_PER_MINUTE;

/** A transaction that succeeded under a token. */
export interface Replay {
  readonly fingerprint: number;
  readonly untilUs: number;
  /** Read units that a repetition costs for each action, in request order. */
  readonly readUnits: readonly number[];
}

/** The tokens of one database that still count. */
export class ReplayTokens {
  /** In order of age, since each entry lives equally long and maps keep insertion order. */
  readonly #replays = new Map<string, Replay>();

  /**
   * The transaction that a token stands for; undefined where the token is new or has expired.
   * @throws ApiError IdempotentParameterMismatchException where the token stands for another content
   */
  find(token: string, writes: readonly TransactWriteItem[], atUs: number): Replay | undefined {
    const replay = this.#replays.get(token);
    if (replay === undefined || replay.untilUs <= atUs) return undefined;
    if (replay.fingerprint === fingerprintOf(writes)) return replay;
    throw new ApiError(
      'IdempotentParameterMismatchException',
      'The request uses the same client token as a previous, but non-identical request. ' +
        'Do not reuse a client token with different requests, unless the requests are identical',
    );
  }

  keep(
    token: string,
    writes: readonly TransactWriteItem[],
    readUnits: readonly number[],
    atUs: number,
  ): void {
    this.#dropExpired(atUs);
    this.#replays.delete(token);
    this.#replays.set(token, {
      fingerprint: fingerprintOf(writes),
      untilUs: atUs + TOKEN_LIFE_US,
      readUnits,
    });
  }

  #dropExpired(atUs: number): void {
    for (const [token, { untilUs }] of this.#replays) {
      if (untilUs > atUs) return;
      this.#replays.delete(token);
    }
  }
}

/** 53 bits of a hash: contents are compared, not kept, as ten minutes of transactions may be many. */
function fingerprintOf(writes: readonly TransactWriteItem[]): number {
  const text = JSON.stringify(writes);
  return hashText(text, 1) * 2 ** 21 + (hashText(text, 2) >>> 11);
}
