// The server of bench/serve.ts, in a process of its own; tells its parent where it listens.
import { startServer } from '../src/serve/start-server.ts';

const server = await startServer({ version: 'bench' });
process.send?.(server.url);
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.once('disconnect', () => process.exit(0));
