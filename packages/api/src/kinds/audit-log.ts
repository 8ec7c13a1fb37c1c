import type { Kind } from './kind.ts'
import type { Grant } from '../rules/roles.ts'

const readers: readonly Grant[] = ['fleet.viewer', 'silo.admin']

/**
 * The audit log of a silo: actions in it, and actions of its users. Declared here, because the
 * schemas of the log list the kinds that have lists, and so come after all kinds.
 */
export const audit_log = {
  resource: 'audit-log',
  access: { scope: 'silo', read: readers, list: readers, create: [], modify: [] },
} as const satisfies Kind
