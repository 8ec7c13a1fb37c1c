import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

export const physical_disk = {
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'fleet_lights',
    'sled_lights',
    'sled_physical_disk_list',
    'sled_details_view',
    'sled_list',
    'physical_disk_list_unadopted',
    'disk_replica_summary',
  ],
} as const satisfies Kind

/** An operator's request to adopt a disk, until it is adopted. */
export const disk_adoption_request = {
  words: 'adoption request',
  access: operating,
  parent: 'fleet',
  reads: ['physical_disk_list_adoption_requests', 'physical_disk_list_unadopted'],
} as const satisfies Kind
