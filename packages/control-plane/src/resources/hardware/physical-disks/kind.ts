import {
  kinds,
  type PhysicalDiskKind,
  type SledPolicyKind,
  type SledState,
} from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Flag } from '../../../kernel/db/schema.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { number, searchOf, text } from '../../../kernel/search/search.ts'
import { pick } from '../../../kernel/pick.ts'
import './replica-table.ts'

export interface PhysicalDiskTable {
  id: string
  fleet_id: string
  sled_id: string
  /** Its serial number. */
  name: string
  name_key: string
  vendor: string
  model: string
  form_factor: PhysicalDiskKind
  slot: number
  size: number
  /** Bytes in use. */
  used: number
  /** Bytes of deleted disks, which are room for others. */
  reclaimable: number
  policy: SledPolicyKind
  state: SledState
  /** As reported by the engine. */
  healthy: Flag
  time_created: string
  time_modified: string
}

/** A disk whose adoption an operator has requested; the row is removed once it is adopted. */
export interface DiskAdoptionRequestTable {
  id: string
  fleet_id: string
  vendor: string
  model: string
  serial: string
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    physical_disk: PhysicalDiskTable
    disk_adoption_request: DiskAdoptionRequestTable
  }
}

export const toWirePhysicalDisk = (row: Row<'physical_disk'>): Wire.PhysicalDisk => ({
  id: row.id,
  form_factor: row.form_factor,
  model: row.model,
  policy: { kind: row.policy },
  serial: row.name,
  ...pick(row, 'sled_id', 'state', 'time_created', 'time_modified', 'vendor'),
})

/** Physical disks with their positions in the rack. */
export async function toWirePhysicalDiskDetails(
  db: Db,
  rows: Row<'physical_disk'>[],
): Promise<Wire.PhysicalDiskDetails[]> {
  if (rows.length === 0) return []
  const sleds = await db
    .selectFrom('sled')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(rows.map(({ sled_id }) => sled_id))])
    .execute()
  const serials = new Map(sleds.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    ...toWirePhysicalDisk(row),
    name: row.name,
    sled_serial: serials.get(row.sled_id)!,
    slot: row.slot,
    size: row.size,
    used: row.used,
    healthy: row.healthy === 1,
  }))
}

export const disk_adoption_request: StoredKind<'disk_adoption_request'> = {
  tables: {
    physical_disk: {
      within: { sled_id: 'sled' },
      names: { physical_disk_identity: kinds.physical_disk.type },
    },
    disk_replica: {
      within: { physical_disk_id: 'physical_disk' },
      origins: { disk_id: 'disk' },
    },
  },
  live: '1 = 1',
}

export const physical_disk: StoredKind<'physical_disk'> = {
  live: '1 = 1',
  search: searchOf('physical_disk_search', {
    searched: ['name', 'model', 'vendor'],
    sorts: {
      name: text('name'),
      natural_name: text('name_key'),
      model: text('model'),
      vendor: text('vendor'),
      form_factor: text('form_factor'),
      slot: number('slot'),
      state: text('state'),
      size: number('size'),
      used: number('used'),
      time_created: text('time_created'),
    },
    filters: {
      form_factor: oneOf('form_factor'),
      policy: oneOf('policy'),
      state: oneOf('state'),
      sled: oneOf('sled_id'),
    },
    toWire: (rows: Row<'physical_disk'>[], { db }) => toWirePhysicalDiskDetails(db, rows),
  }),
}
