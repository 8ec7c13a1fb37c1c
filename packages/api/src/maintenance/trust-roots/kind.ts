import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** A TUF root that verifies update repositories. */
export const trust_root = {
  access: operating,
  parent: 'fleet',
  reads: ['system_update_trust_root_list', 'system_update_trust_root_view'],
} as const satisfies Kind
