// What the AWS SDK's signer needs besides itself, for tests that compare signatures with it.
import { createHash, createHmac } from 'node:crypto';

/** The hash that the SDK's signer asks for, over node:crypto. */
export class Sha256 {
  readonly #parts: (string | Uint8Array)[] = [];
  readonly #secret: string | Uint8Array | undefined;
  constructor(secret?: unknown) {
    this.#secret = typeof secret === 'string' || secret instanceof Uint8Array ? secret : undefined;
  }
  update(part: unknown): void {
    if (typeof part === 'string' || part instanceof Uint8Array) this.#parts.push(part);
  }
  async digest(): Promise<Uint8Array> {
    const state = this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret);
    for (const part of this.#parts) state.update(part);
    return state.digest();
  }
  reset(): void {
    this.#parts.length = 0;
  }
}
