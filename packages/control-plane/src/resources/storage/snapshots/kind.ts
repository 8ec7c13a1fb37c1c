import { dataGroup, sharers } from '../images/bytes.ts'
import { sql } from 'kysely'
import { deletionSentences } from '@steading/api/rules'
import { oneOf } from '../../../kernel/search/filters.ts'
import {
  described,
  each,
  number,
  searchOf,
  text,
  usualSorts,
} from '../../../kernel/search/search.ts'
import { deleteSnapshot, releaseKeptSnapshot } from './delete.ts'
import { toWireSnapshotDetails } from './wire.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { snapshotTables } from './table.ts'
import { gibOf } from '../../tenancy/usage/metered.ts'

export const snapshot: StoredKind<'snapshot'> = {
  tables: snapshotTables,
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
