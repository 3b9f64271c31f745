// Parsed expressions and statements by their text. A workload repeats a handful of texts for every operation,
// so parsing must happen once.

const MAX_KEPT = 1_000;

/**
 * A parser that remembers what it made of each text. Errors are not remembered. When a thousand texts are
 * kept, all are dropped: texts that are built anew for each operation gain nothing from a cache anyway.
 */
export function cachedByText<N>(parse: (text: string) => N): (text: string) => N {
  const kept = new Map<string, N>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const node = parse(text);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(text, node);
    return node;
  };
}
