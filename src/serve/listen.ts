// Listening, with what stands in its way in words for the command line.
import { DynoLoadError } from '../errors.ts';
import { HttpServer } from './wire/http-server.ts';

type Listen = Parameters<typeof HttpServer.listen>[0];

/** Listens as `HttpServer.listen` does. @throws DynoLoadError SERVE_PORT_TAKEN, SERVE_CANNOT_LISTEN */
export async function listen(options: Listen): Promise<HttpServer> {
  try {
    return await HttpServer.listen(options);
  } catch (cause) {
    const { host, port } = options;
    if (codeOf(cause) === 'EADDRINUSE')
      throw new DynoLoadError('SERVE_PORT_TAKEN', {
        what: `port ${port} on ${host} is taken`,
        why: 'another program listens there, perhaps DynamoDB Local or another dyno-load serve',
        fix: 'stop that program, or give another port: --port 8001, or --port 0 for any free one',
        cause,
      });
    throw new DynoLoadError('SERVE_CANNOT_LISTEN', {
      what: `cannot listen on ${host}, port ${port}: ${codeOf(cause)}`,
      why: 'the address is not one of this machine, or the port may not be used without further rights',
      fix: 'leave --host out for this machine alone, and take a port above 1023',
      cause,
    });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
