import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

export const rack = {
  access: operating,
  parent: 'fleet',
  reads: [
    'issue_list',
    'rack_membership_status',
    'sled_list_uninitialized',
    'physical_disk_list_unadopted',
  ],
} as const satisfies Kind
