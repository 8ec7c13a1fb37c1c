import {
  boolean,
  dateTime,
  double,
  named,
  oneOf,
  record,
  string,
  uint,
  uint64,
} from '../../schema.ts'

const HealthStatus = named(
  'HealthStatus',
  oneOf('ready', 'starting', 'stopping', 'database_unreachable', 'database_damaged'),
)

/** Health check for load balancers and supervisors, free of details about the installation. */
export const Health = record('Health', {
  /** The process responds; a supervisor need not restart it. */
  live: boolean,
  /** The server is ready for calls. */
  ready: boolean,
  status: HealthStatus,
})

export const Liveness = record('Liveness', { live: boolean })

const OverdueRows = record('OverdueRows', {
  /** Reconciled kind: `instance`, `disk`, `job` and others. */
  kind: string,
  /** Rows that are due. */
  count: uint,
  /** Seconds since the oldest of them was due. */
  seconds: double,
})

/** State of one server, for operators. */
export const SystemHealth = record('SystemHealth', {
  status: HealthStatus,
  version: string,
  time_started: dateTime,
  database: named('DatabaseKind', oneOf('sqlite', 'postgres')),
  database_bytes: uint64,
  /** Requests that need space are answered with 507; all others work. */
  disk_full: boolean,
  /** Findings of the check of a damaged database; empty without known damage. */
  database_damage: string.array(),
  overdue: OverdueRows.array(),
  event_followers: uint,
})
