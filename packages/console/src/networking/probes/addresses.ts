import type { ProbeInfo } from '@steading/api/client'

/** The private addresses of a probe with the networks of its subnet, IPv4 before IPv6. */
export function privateAddresses({ interface: { ipConfig } }: ProbeInfo) {
  if (ipConfig.type !== 'dual_stack') return [ipConfig.value]
  return [ipConfig.value.v4, ipConfig.value.v6]
}
