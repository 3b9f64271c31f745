// Addresses of a host, asked for anew every few seconds, so that a run of hours follows an endpoint that
// moves, and a burst of connections costs one question. Takes turns over the addresses, so that load meets
// all of an endpoint's front ends.
import { type LookupAddress, lookup as lookupInSystem } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Asks for all addresses of a host. */
export type ResolveAll = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface AddressCacheOptions {
  /** Default: the operating system, in its own order of preference. */
  readonly resolve?: ResolveAll;
  readonly nowMs?: () => number;
  readonly lifetimeMs?: number;
}

/**
 * The system does not tell how long an answer may be kept; DynamoDB's public names are given out for a few
 * seconds at a time.
 */
const LIFETIME_MS = 5_000;

interface Known {
  readonly addresses: readonly LookupAddress[];
  readonly untilMs: number;
}

type Waiting = (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void;

/** Addresses by host name; its `lookup` is what sockets are opened with. */
export class AddressCache {
  readonly #resolve: ResolveAll;
  readonly #nowMs: () => number;
  readonly #lifetimeMs: number;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Waiting[]>();
  #turn = 0;

  constructor(options: AddressCacheOptions = {}) {
    this.#resolve = options.resolve ?? resolveInSystem;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#lifetimeMs = options.lifetimeMs ?? LIFETIME_MS;
  }

  /** For `net.connect`: gives each new connection the next address first. */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.#find(host, (error, addresses) => {
      const usable = ofFamily(addresses, options.family);
      const inTurn = this.#inTurn(usable);
      const first = inTurn[0];
      if (error || first === undefined) done(error ?? notFound(host), '', 0);
      else if (options.all === true) done(null, inTurn);
      else done(null, first.address, first.family);
    });
  };

  #find(host: string, done: Waiting): void {
    const known = this.#known.get(host);
    if (known && this.#nowMs() < known.untilMs) {
      done(null, known.addresses);
      return;
    }
    const waiting = this.#asking.get(host);
    if (waiting) waiting.push(done);
    else this.#ask(host, known, done);
  }

  #ask(host: string, known: Known | undefined, done: Waiting): void {
    const waiting = [done];
    this.#asking.set(host, waiting);
    this.#resolve(host, (error, addresses) => {
      this.#asking.delete(host);
      // Where the name server is out of reach for a moment, the last addresses it gave are the best there is.
      const isUsable = !error && addresses.length > 0;
      const found = isUsable ? addresses : (known?.addresses ?? []);
      if (found.length > 0)
        this.#known.set(host, { addresses: found, untilMs: this.#nowMs() + this.#lifetimeMs });
      for (const each of waiting) each(found.length > 0 ? null : error, found);
    });
  }

  // The family that the system prefers stays first: an address of the other may not be reachable at all, and
  // is a last resort.
  #inTurn(addresses: readonly LookupAddress[]): LookupAddress[] {
    const preferred = addresses.filter(({ family }) => family === addresses[0]?.family);
    const others = addresses.filter(({ family }) => family !== addresses[0]?.family);
    const start = preferred.length > 0 ? this.#turn++ % preferred.length : 0;
    return [...preferred.slice(start), ...preferred.slice(0, start), ...others];
  }
}

function ofFamily(
  addresses: readonly LookupAddress[],
  family: number | string | undefined,
): readonly LookupAddress[] {
  const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
  return wanted === 4 || wanted === 6 ? addresses.filter((one) => one.family === wanted) : addresses;
}

function resolveInSystem(host: string, done: Parameters<ResolveAll>[1]): void {
  lookupInSystem(host, { all: true, verbatim: true }, done);
}

function notFound(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address is known for ${host}`), { code: 'ENOTFOUND' });
}
