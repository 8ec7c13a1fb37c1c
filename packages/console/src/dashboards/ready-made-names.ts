/** The names of ready-made dashboards in the address. */
export const readyMadeNames = {
  project: ['instances', 'instance', 'disk'],
  system: ['sleds', 'control-plane'],
} as const
