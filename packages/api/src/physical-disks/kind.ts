import type { Kind } from '../rules/kind.ts'
import { operating } from '../rules/roles.ts'

export const physical_disk = {
  type: 'physical-disk',
  words: 'physical disk',
  resource: 'physical-disks',
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: ['physical_disk_list', 'physical_disk_view', 'sled_physical_disk_list'],
} as const satisfies Kind
