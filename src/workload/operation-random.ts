// Random numbers of an operation that know when it is due: what moves over time is drawn by them.
import { CounterRandom } from '../prng.ts';
import type { KeyChoice } from './key-choice.ts';

/** The random numbers of one operation after another; `seek` goes to the next. */
export class OperationRandom extends CounterRandom {
  /** When the operation is due, µs since the start of load. */
  dueUs = 0;
  /** Is told of keys that are picked by a named distribution; undefined while load runs. */
  chosen: ((choice: KeyChoice) => void) | undefined = undefined;
}
