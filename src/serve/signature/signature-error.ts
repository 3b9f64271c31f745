// Why a request is not let in, as DynamoDB's front end names it.

export type SignatureErrorType =
  | 'MissingAuthenticationTokenException'
  | 'IncompleteSignatureException'
  | 'InvalidSignatureException'
  | 'UnrecognizedClientException';

/** Thrown where a signature is missing, unfinished or wrong; becomes an answer in service.ts. */
export class SignatureError extends Error {
  readonly type: SignatureErrorType;

  constructor(type: SignatureErrorType, message: string) {
    super(message);
    this.name = 'SignatureError';
    this.type = type;
  }
}
