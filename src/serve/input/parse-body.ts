// The text of a body as JSON.
import { serializationError } from './json-types.ts';

/** @throws ApiError SerializationException where it is not JSON */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    // What the parser says quotes the body; the service says nothing at all.
    throw serializationError('The request body is not valid JSON');
  }
}
