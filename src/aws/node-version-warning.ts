// Keeps the AWS SDK's notice about future Node versions out of our output. All other warnings stay.

/**
 * Turns off the SDK's NodeVersionSupportWarning, by the SDK's own switch. To be called before a client is made.
 * A value that the user has set is left alone.
 */
export function quietNodeVersionWarning(environment: NodeJS.ProcessEnv = process.env): void {
  environment['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
}
