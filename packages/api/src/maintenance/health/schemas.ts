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

/** The last round of a task in the background. */
const TaskRound = record('TaskRound', {
  time_began: dateTime,
  /** Length in seconds. */
  seconds: double,
  /** `elsewhere` if another server has the lease of the task. */
  result: named('TaskResult', oneOf('done', 'failed', 'elsewhere')),
  /** Reason of a failure. */
  error: string.nullable(),
})

/** Work that a server does in the background, round by round. */
const ServerTask = record('ServerTask', {
  /** A description of its work: "evaluating alert rules". */
  name: string,
  /** Whether a round is in progress. */
  running: boolean,
  /** Null before the first round of this server has ended. */
  last: TaskRound.nullable(),
  /** Null if no round is planned. */
  time_next: dateTime.nullable(),
})

/** State of one server, for operators. */
export const SystemHealth = record('SystemHealth', {
  status: HealthStatus,
  version: string,
  time_started: dateTime,
  database: named('DatabaseKind', oneOf('sqlite', 'postgres')),
  database_bytes: uint64,
  /**
   * Seconds by which the clock of the machine of this server is ahead of the database's, by which
   * servers go. Null for an embedded database, which has the same clock.
   */
  clock_ahead_seconds: double.nullable(),
  /** Requests that need space are answered with 507; all others work. */
  disk_full: boolean,
  /** Findings of the check of a damaged database; empty without known damage. */
  database_damage: string.array(),
  overdue: OverdueRows.array(),
  event_followers: uint,
  tasks: ServerTask.array(),
})
