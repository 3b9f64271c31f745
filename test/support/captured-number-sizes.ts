// Sizes of numbers as captured from the service at the 400 KB gate; see the source named at `numberSizeBytes`.

/** Number as text, and its bytes. */
export const capturedNumberSizes: readonly (readonly [text: string, sizeBytes: number])[] = [
  ['1', 2],
  ['12', 2],
  ['123', 3],
  ['1234', 3],
  ['100', 2],
  ['1010', 3],
  ['1.5', 3],
  ['3.14159', 5],
  ['100.5', 4],
  ['0.15', 2],
  ['1E125', 2],
  ['0.0000001', 2],
  ['-42', 3],
  ['0', 1],
  ['-0', 1],
  ['0.00', 1],
  ['12345678901234567890123456789012345678', 20],
  ['123456', 4],
];
