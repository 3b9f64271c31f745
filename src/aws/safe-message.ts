// Messages of servers, made fit to keep and print. AWS answers a wrong signature with all that was signed,
// security token included, and an incomplete one with the whole authorization header; none of that may reach
// a report.

const MAX_CHARACTERS = 400;

/** A message in one line, without credentials or signatures, cut to 400 characters. */
export function safeMessage(message: string): string {
  const line = message
    .replace(/\s*The (Canonical String|String-to-Sign)[\s\S]*$/i, '')
    .replace(/(x-amz-security-token)\s*[:=]\s*\S+/gi, '$1: …')
    .replace(/\b(Credential|Signature)=[^\s,]+/g, '$1=…')
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line;
}
