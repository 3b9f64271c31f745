// The error of what the parameters of a request say together.
import { type ApiError, validationError } from '../../dynamodb/api-error.ts';

/** A ValidationException with this problem, to be thrown by the caller. */
export function invalid(problem: string): ApiError {
  return validationError(`One or more parameter values were invalid: ${problem}`);
}
