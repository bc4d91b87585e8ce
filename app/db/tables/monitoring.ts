import type { EpochMs } from "./columns";

/** Lines of the server's log. Rows before `log_state.first_id` are invalid and wait to be swept. */
export interface LogLinesTable {
  /** From `log_state`: without gaps, in the order of the commits. */
  id: number;
  /** Time in the line; null when the line does not have the expected format. */
  at: EpochMs | null;
  /** Upper case; empty when the line does not have the expected format. */
  level: string;
  line: string;
}

/** Number of lines per level and hour, updated in the transactions that add and remove lines. */
export interface LogHoursTable {
  /** First millisecond of the hour; 0 for lines that do not have the expected format. */
  hour: EpochMs;
  level: string;
  lines: number;
  bytes: number;
  /** All lines of the hour lie between these ids. */
  least_id: number;
  greatest_id: number;
}

/** One row. Transactions that add or remove lines lock it first. */
export interface LogStateTable {
  id: 1;
  /** Id of the next line. */
  next_id: number;
  /** Lines with a smaller id are deleted. */
  first_id: number;
  /** Lines with a smaller id are also removed from the table. */
  swept_id: number;
}

/** Means and peaks of one instance in one time step: percentages, KB per second, a number of meetings. */
export interface ResourceSamplesTable {
  /** The name of its machine, `hostname:PORT` on PostgreSQL; "the platform" of what the platform measures. */
  instance: string;
  /** Length in milliseconds: a minute or 15 minutes. */
  step: number;
  /** Start of the step. */
  at: EpochMs;
  /** Number of measurements in the mean. */
  samples: number;
  cpu: number;
  cpu_peak: number;
  memory: number;
  memory_peak: number;
  disk: number;
  inbound: number;
  outbound: number;
  /** Null when unknown. */
  meetings: number | null;
}

/** A period in which one instance had too little of a resource. */
export interface ResourceIncidentsTable {
  id: string;
  /** As in `resource_samples`. */
  instance: string;
  kind: "memory" | "cpu" | "disk" | "meetings" | "redis";
  began_at: EpochMs;
  /** Null while it lasts. */
  ended_at: EpochMs | null;
  /** Worst value measured; written at the end. */
  peak: number;
  /** Time at which the accounts were emailed about the start; null when they were not. */
  emailed_at: EpochMs | null;
}

/** Running processes; a crash leaves a row, which is removed later. Times are of the shared clock (shared-time.server.ts). */
export interface InstancesTable {
  /** New with each start. */
  boot_id: string;
  /** `hostname:PORT` */
  name: string;
  started_at: number;
  /** Updated every ten seconds. */
  seen_at: number;
}

/** Visits of the landing page by the source they came from and the UTC day; nobody is identified. */
export interface LandingVisitsTable {
  /** First millisecond of the day. */
  day: EpochMs;
  source: string;
  count: number;
}

export interface MonitoringTables {
  landing_visits: LandingVisitsTable;
  instances: InstancesTable;
  resource_samples: ResourceSamplesTable;
  resource_incidents: ResourceIncidentsTable;
  log_lines: LogLinesTable;
  log_hours: LogHoursTable;
  log_state: LogStateTable;
}
