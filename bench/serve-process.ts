// The server of bench/serve.ts, in a process of its own; tells its parent where it listens.
import { capacityModels } from '../src/capacity/capacity-model.ts';
import { startServer } from '../src/serve/start-server.ts';

// Tables of the benchmark are warm beyond the default quota (bench/serve.ts).
const model = { ...capacityModels.default, tableQuotaUnits: 120_000 };
const server = await startServer({ version: 'bench', model });
process.send?.(server.url);
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.once('disconnect', () => process.exit(0));
