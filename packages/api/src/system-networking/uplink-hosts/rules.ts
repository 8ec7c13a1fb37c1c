/** Rules of the hosts that an operator names as uplinks. */

/** Attempts to configure a host that fail in a row before operators see it. */
export const UPLINK_HOST_ATTEMPTS = 3

/** Milliseconds for which a host may be silent before operators see it. */
export const UPLINK_SILENT_MS = 15_000

/** Imported routes of a host that are listed. */
export const UPLINK_ROUTES_MAX = 5_000

export const uplinkMessages = {
  noMessages:
    'The routing software of the uplinks keeps no messages. The state of each session is above, and its log has the reasons of ends.',
  noAnswer: 'its routing software does not answer',
  silent: (hosts: readonly string[]) =>
    `${hosts.length === 1 ? `Uplink host ${hosts[0]} does` : `Uplink hosts ${hosts.join(', ')} do`} not answer`,
  tooManyRoutes: (host: string, count: number) =>
    `${host} has ${count} imported routes, and at most ${UPLINK_ROUTES_MAX} are listed`,
} as const
