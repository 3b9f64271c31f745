// What is said of a worker that is gone.
import { DynoLoadError } from '../errors.ts';

/** One that did not live to see load. */
export function workerLostBeforeLoad(why: string): DynoLoadError {
  return new DynoLoadError('WORKER_LOST', {
    what: `a worker thread ended before load began: ${why}`,
    why: 'each worker loads the scenario by itself, and this one did not come to its end',
    fix: 'see what the scenario does while it is loaded, or run with --workers 1',
  });
}

/** One that was lost under load: the run ends, as the rest would be another load. */
export function workerLost(why: string): DynoLoadError {
  return new DynoLoadError('WORKER_LOST', {
    what: `a worker thread was lost: ${why}`,
    why: 'its operations since its last word, at most a second before, are in no figure, and so is what it still had to do',
    fix: 'see what ended it (memory, or the scenario’s own code), or run with --workers 1',
  });
}
