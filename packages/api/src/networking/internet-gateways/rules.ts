/** Rules of internet gateways (control plane 8.5). */

const cascading = 'To perform a cascading delete set the cascade option'

/** Refusals to delete without a cascade while other resources depend on it. */
export const gatewayNeeded = {
  pools: `Ip pools referencing this gateway exist. ${cascading}`,
  addresses: `Ip addresses referencing this gateway exist. ${cascading}`,
  routes: `VPC routes dependent on this IP pool. ${cascading}`,
} as const
