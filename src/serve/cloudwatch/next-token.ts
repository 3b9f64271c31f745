// Tokens of paged answers: the place to go on at, and up to which minute the first page could see, so that
// all pages tell of one moment. A token is good for the request that it came from only.
import { hashText } from '../../prng.ts';
import { CloudWatchError } from './cloudwatch-error.ts';

export interface PagePlace {
  /** How many points or entries the pages before held. */
  readonly offset: number;
  /** First minute that is not published. */
  readonly horizonMinute: number;
}

/** @param request  what must be equal on all pages, as one text */
export function writeToken({ offset, horizonMinute }: PagePlace, request: string): string {
  const text = JSON.stringify([offset, horizonMinute, hashText(request, 0)]);
  return Buffer.from(text).toString('base64url');
}

/**
 * The place of a token; the beginning where there is none.
 * @throws CloudWatchError InvalidNextToken
 */
export function readToken(token: string | undefined, request: string, horizonMinute: number): PagePlace {
  if (token === undefined) return { offset: 0, horizonMinute };
  const [offset, horizon, hash] = numbersIn(token);
  if (offset === undefined || horizon === undefined || hash !== hashText(request, 0))
    throw new CloudWatchError('InvalidNextToken', 'The next token specified is invalid.');
  return { offset, horizonMinute: horizon };
}

function numbersIn(token: string): readonly number[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    const isSound = Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= 0);
    return isSound ? (value as number[]) : []; // Every member has just been seen to be a number.
  } catch {
    return []; // No token of ours: the caller says so.
  }
}
