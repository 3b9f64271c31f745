// How a step of a flow that did not end well reaches the flow's own code.
import type { OutcomeKind } from '../dynamodb/outcome.ts';

/**
 * Rejects a flow's `db` call whose outcome is not ok. A flow may catch it and go on; the operation keeps its
 * worst outcome.
 */
export class FlowStepError extends Error {
  readonly label: string;
  readonly outcome: OutcomeKind;

  constructor(label: string, outcome: OutcomeKind) {
    super(`step "${label}" ended ${outcome}`);
    this.name = 'FlowStepError';
    this.label = label;
    this.outcome = outcome;
  }
}
