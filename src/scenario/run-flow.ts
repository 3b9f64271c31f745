// One run of a flow's own code, watched for requests that it starts and does not wait for: their outcomes would
// be lost, and a rejected one would end the process.
import { DynoLoadError } from '../errors.ts';
import type { ApiOutput } from '../dynamodb/api-output.ts';
import type { Context } from '../workload/item.ts';
import { createDb } from './db.ts';
import type { FlowSpec } from './operations/flow.ts';
import type { Tables } from './operations/table-of.ts';
import type { FlowPort, RequestsOperation } from './run-plan.ts';

/**
 * Runs a flow once.
 * @throws DynoLoadError FLOW_NOT_AWAITED where it ends before its requests do; what the flow's code throws
 */
export async function runFlowCode(
  spec: FlowSpec<string>,
  { port, tables, context }: { readonly port: FlowPort; readonly tables: Tables; readonly context: Context },
): Promise<void> {
  const watched = new WatchedPort(port);
  await spec.run(createDb(watched, tables, context), context);
  watched.checkAwaited();
}

class WatchedPort implements FlowPort {
  readonly #port: FlowPort;
  /** Labels of requests that are under way. */
  readonly #pending: string[] = [];
  #hasFailed = false;

  constructor(port: FlowPort) {
    this.#port = port;
  }

  send(label: string, operation: RequestsOperation): Promise<ApiOutput> {
    this.#pending.push(label);
    const answer = this.#port.send(label, operation);
    const settled = () => void this.#pending.splice(this.#pending.indexOf(label), 1);
    answer.then(settled, () => {
      this.#hasFailed = true;
      settled();
    });
    return answer;
  }

  /** After a failed step others may be left over, as of a Promise.all: then the flow ended on purpose. */
  checkAwaited(): void {
    const [label] = this.#pending;
    if (label === undefined || this.#hasFailed) return;
    throw new DynoLoadError('FLOW_NOT_AWAITED', {
      what: `its flow ended while the request "${label}" was under way`,
      why: 'a flow is over when its function is, and the outcome of a request that nobody awaits is lost',
      fix: `write await before the db call "${label}", or await Promise.all([…]) for several`,
    });
  }
}
