import { kinds, type StoragePoolState, type StoragePoolType } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Flag, Listed, Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, number, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { toWireStoragePools } from './wire.ts'

export interface StoragePoolTable extends Listed, SoftDeleted, Reconciled {
  /** All pools are in one list, the fleet's. */
  fleet_id: Generated<string>
  type: StoragePoolType
  path: string | null
  /** The file system that hosts mount there. */
  source: string | null
  /** The pool that the engine has by itself. */
  built_in: Flag
  is_default: Flag
  state: StoragePoolState
  problem: string | null
  /** Of its file system or disks, in bytes; 0 until it was looked at. */
  size: number
  free: number | null
  /** Bytes of its disks. Kept with each disk for a directory, and counted for physical disks. */
  used: number
  /** Bytes of deleted disks, which are room for others. */
  reclaimable: number
  time_checked: string | null
  /** Rises when an operator changes it, so that a step that began earlier writes nothing. */
  generation: Generated<number>
}

/** A host that was asked whether it reaches a pool. */
export interface StoragePoolHostTable {
  storage_pool_id: string
  serial: string
  /** Why it does not. */
  problem: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    storage_pool: StoragePoolTable
    storage_pool_host: StoragePoolHostTable
  }
}

export const storage_pool: StoredKind<'storage_pool'> = {
  tables: {
    storage_pool: {
      marked: true,
      names: {
        storage_pool_name: kinds.storage_pool.type,
        storage_pool_path: { type: 'directory of a storage pool', column: 'path' },
        storage_pool_source: { type: 'source of a storage pool', column: 'source' },
      },
    },
    storage_pool_host: { partOf: { storage_pool_id: 'storage_pool' } },
  },
  live: 'time_deleted is null',
  search: searchOf('storage_pool_search', {
    searched: [...described, 'path', 'source'],
    sorts: {
      ...usualSorts,
      type: text('type'),
      state: text('state'),
      size: number('size'),
      provisioned: number('used'),
    },
    filters: { type: oneOf('type'), state: oneOf('state') },
    toWire: (rows: Row<'storage_pool'>[], { db }) => toWireStoragePools(rows, { db }),
  }),
}
