// HTTP/1.1 over node:net, as lean as a load tester's server has to be: Node's own HTTP server takes more time
// for a request than the simulated database does. TLS, compression and everything else that a server behind
// DynamoDB's protocol on loopback does not need is left out.
import { createServer, type Server } from 'node:net';
import { type ConnectionOwner, ServerConnection } from './server-connection.ts';

export interface HttpServerOptions
  extends Pick<ConnectionOwner, 'handle' | 'refuse' | 'bytesOf' | 'maxBodyBytes'> {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

const TICK_MS = 1_000;
const MAX_CONNECTIONS = 10_000;
/** How long requests under way may take when the server stops. */
const STOP_TICKS = 5;

export class HttpServer {
  readonly #server: Server;
  readonly #connections = new Set<ServerConnection>();
  readonly #sweep: NodeJS.Timeout;
  #isStopping = false;
  #stopTicksLeft = STOP_TICKS;

  private constructor(options: HttpServerOptions) {
    const owner: ConnectionOwner = {
      maxBodyBytes: options.maxBodyBytes,
      handle: (request, respond) => options.handle(request, respond),
      refuse: (reason, problem) => options.refuse(reason, problem),
      bytesOf: (response, isLast) => options.bytesOf(response, isLast),
      isStopping: () => this.#isStopping,
      closed: (connection) => void this.#connections.delete(connection),
    };
    this.#server = createServer({ allowHalfOpen: true }, (socket) =>
      this.#connections.add(new ServerConnection(socket, owner)),
    );
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#sweep = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Starts to listen. Fails with the system's own error where it cannot. */
  static async listen(options: HttpServerOptions): Promise<HttpServer> {
    const http = new HttpServer(options);
    try {
      await new Promise<void>((resolve, reject) => {
        http.#server.once('error', reject);
        http.#server.listen(options.port, options.host, () => {
          http.#server.off('error', reject);
          resolve();
        });
      });
    } catch (error) {
      clearInterval(http.#sweep);
      throw error;
    }
    return http;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Takes no more connections, lets requests under way end, for 5 s at most, and closes what is left. */
  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections) connection.stop();
    await closed;
    clearInterval(this.#sweep);
  }

  #tick(): void {
    for (const connection of this.#connections) connection.tick();
    if (!this.#isStopping) return;
    this.#stopTicksLeft--;
    if (this.#stopTicksLeft <= 0) for (const connection of this.#connections) connection.destroy();
  }
}
