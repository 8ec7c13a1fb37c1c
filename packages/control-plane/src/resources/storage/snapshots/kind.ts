import {
  kinds,
  type SnapshotConsistencyName,
  type SnapshotStateName,
  deletionSentences,
} from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { type Generated, sql } from 'kysely'
import type { Flag, Listed, Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import {
  described,
  each,
  number,
  searchOf,
  text,
  usualSorts,
} from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { pick } from '../../../kernel/pick.ts'
import { dataGroup, sharers } from '../images/bytes.ts'
import { gibOf } from '../../tenancy/usage/metered.ts'
import { deleteSnapshot, releaseKeptSnapshot, restoreSnapshot } from './delete.ts'

export interface SnapshotTable extends Listed, SoftDeleted, Reconciled {
  project_id: string
  disk_id: string
  size: number
  block_size: Wire.BlockSize
  state: SnapshotStateName
  /** Null until it is taken, and of snapshots of earlier versions. */
  consistency: SnapshotConsistencyName | null
  /** The engine holds its bytes: until the snapshot and all images made of it are deleted. */
  has_volume: Generated<Flag>
  /** The storage pool with its bytes; null for physical disks. */
  storage_pool_id: Generated<string | null>
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    snapshot: SnapshotTable
  }
}

export const toWireSnapshot = (row: Row<'snapshot'>): Wire.Snapshot => ({
  ...identityOf(row),
  ...pick(row, 'project_id', 'disk_id', 'size', 'state'),
})

export const toWireSnapshotDetails = (row: Row<'snapshot'>): Wire.SnapshotDetails => ({
  ...toWireSnapshot(row),
  consistency: row.consistency,
})

export const snapshot: StoredKind<'snapshot'> = {
  tables: {
    snapshot: {
      marked: true,
      within: { project_id: 'project' },
      origins: { disk_id: 'disk', storage_pool_id: 'storage_pool' },
      unfinished: 'has_volume = 1 or reconcile_at is not null or lease_until is not null',
      names: { snapshot_name: kinds.snapshot.type },
    },
  },
  live: 'time_deleted is null',
  metered: {
    amounts: { snapshot: gibOf('its.size') },
    while: 'its.time_deleted is null',
    name: 'its.name',
    since: 'its.time_created',
  },
  search: searchOf('snapshot_search', {
    searched: described,
    sorts: {
      ...usualSorts,
      state: text('state'),
      size: number('size'),
    },
    filters: { state: oneOf('state'), consistency: oneOf('consistency') },
    toWire: each(toWireSnapshotDetails),
  }),
  bulkColumns: ['state'],
  steps: {
    delete: stepOn('snapshot', 'snapshot_delete', deleteSnapshot),
  },
  restoration: { size: ({ size }: Row<'snapshot'>) => size, release: releaseKeptSnapshot },
  restoredRows: { snapshot: restoreSnapshot },
  deletion: {
    columns: { project_id: 'project_id', state: 'state' },
    hasBytes: true,
    parts: async (reader, snapshot) =>
      dataGroup(snapshot, await sharers(reader, snapshot.id), deletionSentences.dataOfImages),
  },
  relations: [
    {
      owner: 'instance',
      relation: 'stays',
      pairs: sql`select snapshot.id, disk.instance_id as owner_id from snapshot
        join disk on disk.id = snapshot.disk_id and disk.time_deleted is null`,
      reason: deletionSentences.kept,
    },
    {
      owner: 'disk',
      relation: 'stays',
      pairs: sql`select id, disk_id as owner_id from snapshot`,
      reason: deletionSentences.kept,
    },
    {
      owner: 'image',
      relation: 'stays',
      pairs: sql`select snapshot_id as id, id as owner_id from image`,
      reason: deletionSentences.kept,
      elsewhere: true,
    },
  ],
}
