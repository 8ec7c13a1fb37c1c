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

/** What load balancers and supervisors ask; it tells strangers nothing about the installation. */
export const Health = record('Health', {
  /** The process answers; a supervisor need not start it anew. */
  live: boolean,
  /** Calls can be sent to this server. */
  ready: boolean,
  status: HealthStatus,
})

export const Liveness = record('Liveness', { live: boolean })

const OverdueRows = record('OverdueRows', {
  /** What is reconciled: `instance`, `disk`, `job` and others. */
  kind: string,
  /** Rows whose time to be reconciled has come. */
  count: uint,
  /** For how long the oldest of them has waited. */
  seconds: double,
})

/** The state of one server, for operators. */
export const SystemHealth = record('SystemHealth', {
  status: HealthStatus,
  version: string,
  time_started: dateTime,
  database: named('DatabaseKind', oneOf('sqlite', 'postgres')),
  database_bytes: uint64,
  /** What needs room is answered with 507; everything else goes on. */
  disk_full: boolean,
  /** Findings of the check of a damaged database; empty if no damage is known. */
  database_damage: string.array(),
  overdue: OverdueRows.array(),
  event_followers: uint,
})
