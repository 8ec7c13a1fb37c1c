import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** A machine with libvirt that an operator has given; once it passed its checks, it is a sled. */
export const host = {
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'sled_list_uninitialized',
    'sled_details_view',
    'host_fencing_view',
    'host_story',
    'instance_failure',
  ],
} as const satisfies Kind
