// What browsers get of the server: the live page and its state; and what they do not get. Everything else is left
// to the service.
import type { HttpResponse } from '../wire/http-response.ts';
import type { HttpRequest } from '../wire/server-connection.ts';
import { errorAnswer } from '../wire-answer.ts';
import { livePage, STATE_PATH, stateAnswer } from './live-page.ts';
import { type LiveParts, liveState } from './live-state.ts';
import { isTrustedHost } from './trusted-host.ts';

export interface BrowserDoorOptions extends LiveParts {
  /** Where the server listens, as it was told. */
  readonly host: string;
  /** Whether anybody may look; false: the page is off. */
  readonly isOpen: boolean;
}

const health: HttpResponse = {
  status: 200,
  body: 'healthy: dyno-load serve\n',
  headers: { 'content-type': 'text/plain' },
};

const ownNames =
  "use the server's address or localhost, or start the server with --host and a name of its own.";

export class BrowserDoor {
  readonly #options: BrowserDoorOptions;

  constructor(options: BrowserDoorOptions) {
    this.#options = options;
  }

  /** The answer to GET: page, state, or a word that the server lives. */
  get({ head: { path, host, text } }: HttpRequest): HttpResponse {
    const { isOpen, host: ownHost } = this.#options;
    const isState = path === STATE_PATH;
    const isPage = path === '/' && /\r\naccept:[^\r]*\btext\/html\b/i.test(text);
    if (!isOpen || (!isState && !isPage)) return health;
    if (!isTrustedHost(host, ownHost))
      return refused(
        `The page is not shown under the name ${(host ?? '').slice(0, 100)}, which another site could have given to this machine: ` +
          ownNames,
      );
    return isState ? stateAnswer(liveState(this.#options)) : livePage;
  }

  /**
   * Refuses a request that a page of another site sends under a name of its own; undefined for all others.
   * Browsers tell where a page is from with each POST.
   */
  refuse({ head: { origin, host } }: HttpRequest): HttpResponse | undefined {
    if (origin === undefined || isTrustedHost(host, this.#options.host)) return undefined;
    return refused(
      `A web page (${origin.slice(0, 100)}) may not send requests under the name ${(host ?? '').slice(0, 100)}: ${ownNames}`,
    );
  }
}

function refused(message: string): HttpResponse {
  return errorAnswer('AccessDeniedException', message, {}, 403);
}
