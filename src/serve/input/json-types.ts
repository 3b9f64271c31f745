// JSON values of a type that a request may not have, in DynamoDB's words.
// Messages as the service gives them, by the tests of `architect/dynalite`, which were run against it, read
// 2026-11-30.
import { ApiError } from '../../dynamodb/api-error.ts';

/** An object of JSON that belongs to one request and may be changed. */
export type JsonObject = { [name: string]: unknown };

/** The error of a value of the wrong type. */
export function serializationError(message: string): ApiError {
  return new ApiError('SerializationException', message);
}

/** A JSON object; arrays are none. */
export function jsonObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null) throw serializationError('Unexpected field type');
  if (Array.isArray(value)) throw serializationError('Unrecognized collection type');
  return value as JsonObject; // Objects of JSON have nothing but members.
}

/** The name under which the service's errors speak of a JSON value where it wants a scalar. */
export function wrongScalar(value: unknown, wanted: string): ApiError {
  if (Array.isArray(value))
    return serializationError(`Unrecognized collection type class java.lang.${wanted}`);
  switch (typeof value) {
    case 'boolean':
      return serializationError(`${value ? 'TRUE' : 'FALSE'}_VALUE cannot be converted to ${wanted}`);
    case 'number':
      return serializationError(
        `${Number.isInteger(value) ? 'NUMBER' : 'DECIMAL'}_VALUE cannot be converted to ${wanted}`,
      );
    case 'string':
      return serializationError(`STRING_VALUE cannot be converted to ${wanted}`);
    default:
      return serializationError('Start of structure or map found where not expected');
  }
}
