import {
  AUTO_RESTART_COOLDOWN_MS,
  DELETED_KEPT_MS,
  PASSWORD_MIN,
  SESSION_ABSOLUTE_MS,
  SESSION_IDLE_MS,
  STEP_LIMIT_MS,
} from '@steading/api/rules'

/** Writes a problem to the log. @param detail such as the error */
export type Log = (message: string, detail?: unknown) => void

/** The settings of an operator. Times in milliseconds. */
export interface Settings {
  /** Silo for browsers that have not signed in. */
  defaultSilo: string
  /** DNS zones in which the silos have their host names, `{silo}.sys.{zone}`. */
  externalZones: readonly string[]
  sessionIdleMs: number
  sessionAbsoluteMs: number
  /** Minimum number of characters in a new password. */
  passwordMin: number
  /** How long a session and its roles are cached before they are read again. */
  sessionTrustMs: number
  autoRestartCooldownMs: number
  /** How long the rows of deleted resources are kept. */
  deletedKeptMs: number
  /**
   * The longest that a create waits for its resource to leave the state "creating" before it
   * answers. That takes milliseconds; the limit lets scripts that go on at once also work while the
   * machine is busy.
   */
  settleMs: number
  /** How long a step of the reconciler may take before it is reported as stuck. */
  stepLimitMs: number
  /**
   * Address of the console in messages, without a slash at its end; undefined for the host names of
   * silos in the first zone.
   */
  consoleUrl: string | undefined
  /** Name of this server's host, for operators. */
  serverName: string
  /** Whether the extensions under `/x/v1` are offered. */
  extensions: boolean
  /** Whether every client is admitted, whatever the list of allowed addresses. */
  ignoreAllowList: boolean
  /** Whether instances may join multicast groups. */
  multicast: boolean
  log: Log
}

export const defaultSettings: Settings = {
  defaultSilo: 'main',
  externalZones: [],
  sessionIdleMs: SESSION_IDLE_MS,
  sessionAbsoluteMs: SESSION_ABSOLUTE_MS,
  passwordMin: PASSWORD_MIN,
  sessionTrustMs: 1_000,
  autoRestartCooldownMs: AUTO_RESTART_COOLDOWN_MS,
  deletedKeptMs: DELETED_KEPT_MS,
  settleMs: 5_000,
  stepLimitMs: STEP_LIMIT_MS,
  consoleUrl: undefined,
  serverName: 'this host',
  extensions: true,
  ignoreAllowList: false,
  multicast: false,
  log: (message, detail) => console.error(message, detail ?? ''),
}
