/** Rules of the hosts that an operator names as uplinks. */

/** Attempts to configure a host that fail in a row before operators see it. */
export const UPLINK_HOST_ATTEMPTS = 3

/** Imported routes of a host that are listed. */
export const UPLINK_ROUTES_MAX = 5_000

export const uplinkMessages = {
  noMessages:
    'The routing software of the uplinks keeps no messages. The state of each session is above, and its log has the reasons of ends.',
  tooManyRoutes: (host: string, count: number) =>
    `${host} has ${count} imported routes, and at most ${UPLINK_ROUTES_MAX} are listed`,
} as const
