/** Names of our domains. */
export const NAME_PREFIX = 'steading-'
/** Of domains that try out whether guests run. */
export const PROBE_PREFIX = `${NAME_PREFIX}probe-`
export const domainName = (machineId: string): string => `${NAME_PREFIX}${machineId}`
