import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

export const sled = {
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'fleet_lights',
    'sled_lights',
    'sled_details_view',
    'sled_host_view',
    'sled_instance_list',
    'sled_expunge_preview',
    'sled_maintenance_status',
    'sled_maintenance_preview',
    'instance_move_list',
    'instance_sled_view',
    'sled_list_uninitialized',
    'physical_disk_list_unadopted',
  ],
} as const satisfies Kind
