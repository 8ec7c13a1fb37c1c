/** Rules about internet gateways (control plane 8.5). */

const cascading = 'To perform a cascading delete set the cascade option'

/** Why something stays while other things need it, unless the caller asks for a cascade. */
export const gatewayNeeded = {
  pools: `Ip pools referencing this gateway exist. ${cascading}`,
  addresses: `Ip addresses referencing this gateway exist. ${cascading}`,
  routes: `VPC routes dependent on this IP pool. ${cascading}`,
} as const
