// What every operation of table administration works with.
import type { CapacityModel } from '../../capacity/capacity-model.ts';
import type { ArnPlace } from '../../dynamodb/table-spec.ts';
import type { ServiceActivity } from '../../simulator/metrics/service-activity.ts';
import type { SimulatedDatabase } from '../../simulator/simulated-database.ts';
import type { TableRegistry } from './table-registry.ts';

export interface Administration {
  readonly database: SimulatedDatabase;
  readonly tables: TableRegistry;
  /** Keeps metrics; is told of tables that come, change and go. */
  readonly activity: ServiceActivity;
  readonly place: ArnPlace;
  /** The model before it was scaled. */
  readonly model: CapacityModel;
  /** By what throughput is multiplied before the database gets it. */
  readonly throughputScale: number;
  /** How long tables and indexes stay CREATING, UPDATING or DELETING. */
  readonly transitionUs: number;
  /** Host and port of the server. */
  address(): string;
  /** Time of the database, µs. */
  nowUs(): number;
  /** Time of day, ms since 1970. */
  wallMs(): number;
}
