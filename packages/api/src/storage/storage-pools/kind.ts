import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** A place for the bytes of disks, which operators add. */
export const storage_pool = {
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: ['silo_storage_pool_view', 'storage_pool_choice_list', 'disk_storage_view', 'issue_list'],
} as const satisfies Kind
