import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

/** Any external address of an instance. Floating IPs are the named ones. */
export const external_ip = {
  words: 'external IP',
  access: computing,
  parent: 'project',
  // Attaching or detaching an address emits an event of the instance as well.
} as const satisfies Kind
