// The part of autocannon's API that bench/lean-client.ts uses; it ships no types.
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
  }
  interface Result {
    readonly errors: number;
    readonly non2xx: number;
    readonly requests: { readonly total: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
