import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

/** Any address that leads to an instance; those that people name are floating IPs. */
export const external_ip = {
  type: 'external-ip',
  words: 'external IP',
  resource: 'external-ips',
  access: computing,
  parent: 'project',
  // The instance that an address comes to or leaves is told as well.
  reads: [],
} as const satisfies Kind
