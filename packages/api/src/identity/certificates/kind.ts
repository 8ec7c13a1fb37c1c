import type { Kind } from '../../kinds/kind.ts'

/** A TLS certificate of a silo, for its host names. */
export const certificate = {
  access: {
    scope: 'silo',
    read: ['silo.admin', 'fleet.admin'],
    list: ['silo.admin', 'fleet.admin'],
    create: ['silo.admin', 'fleet.admin'],
    modify: ['silo.admin', 'fleet.admin'],
  },
  parent: 'silo',
  reads: ['issue_list', 'certificate_ending_list'],
} as const satisfies Kind
