// The errors of a statement's text, in DynamoDB's words.
// @see `paritysuite/dynamodb-conformance tests/tier3/error-messages/partiqlGrammar.test.ts` (captures of 2026-10),
//   read 2026-11-30
import { type ApiError, validationError } from '../api-error.ts';

/** A text that is no statement. @param detail  may be empty, as it is for what cannot be read at all */
export function malformed(detail: string): ApiError {
  return validationError(`Statement wasn't well formed, can't be processed: ${detail}`);
}
