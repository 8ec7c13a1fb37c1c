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
import { lookup } from '../../../kernel/lookup.ts'
import { step } from '../../../kernel/job-steps.ts'
import { detachDisk } from './attach.ts'
import { createSnapshot, requireSnapshottable } from '../snapshots/create.ts'
import { deleteDisk, releaseKeptDisk, restoreDisk } from './delete.ts'
import { finalizeImport, stopImport } from './import.ts'
import { toWireDisk } from './wire.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { isKept } from '../../workspace/deleted-resources/keep.ts'
import { stillOwnsBytes } from '../../../kernel/orphaned-bytes.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { diskTables } from './table.ts'
import { gibOf } from '../../tenancy/usage/metered.ts'

export const disk: StoredKind<'disk'> = {
  tables: diskTables,
  volumes: [
    // Includes disks whose volume the reconciler still has to delete.
    (db, some) =>
      db
        .selectFrom('disk')
        .select('id')
        .where('id', 'in', some)
        .where((eb) => eb.or([stillOwnsBytes, isKept()])),
  ],
  live: 'time_deleted is null',
  metered: {
    amounts: { disk: gibOf('its.size') },
    while: 'its.time_deleted is null',
    name: 'its.name',
    since: 'its.time_created',
  },
  search: searchOf('disk_search', {
    searched: described,
    sorts: {
      ...usualSorts,
      state: text('state'),
      type: text('disk_type'),
      size: number('size'),
    },
    filters: { state: oneOf('state'), type: oneOf('disk_type') },
    toWire: each(toWireDisk),
  }),
  bulkColumns: ['state', 'disk_type', 'read_only'],
  steps: {
    snapshot: step('snapshot_create', async (work, id, { makes }) => {
      const disk = await lookup(work, 'disk', id)
      requireSnapshottable(disk)
      const { siloId } = work.actor
      return (await createSnapshot(work, siloId, disk, { name: makes!, description: '' })).id
    }),
    detach: step('instance_disk_detach', async (work, id) => {
      const disk = await lookup(work, 'disk', id)
      if (disk.instance_id === null) return
      await detachDisk(work, await lookup(work, 'instance', disk.instance_id), disk)
    }),
    stop_import: stepOn('disk', 'disk_bulk_write_import_stop', stopImport),
    finalize: stepOn('disk', 'disk_finalize_import', finalizeImport),
    delete: stepOn('disk', 'disk_delete', deleteDisk),
  },
  restoration: {
    untouched: ['boot_disk_id'],
    size: ({ size }: Row<'disk'>) => size,
    release: releaseKeptDisk,
  },
  restoredRows: { disk: restoreDisk },
  deletion: {
    columns: { project_id: 'project_id', state: 'state', instance_id: 'instance_id' },
    hasBytes: true,
  },
  relations: [
    {
      owner: 'instance',
      relation: 'stays',
      pairs: sql`select id, instance_id as owner_id from disk`,
      reason: deletionSentences.detached,
      detail: sql`case when its.id = (select boot_disk_id from instance where id = its.instance_id)
        then 'boot disk' end`,
    },
    // Disks made of a snapshot or an image have their own copy of the data.
    {
      owner: 'snapshot',
      relation: 'stays',
      pairs: sql`select id, snapshot_id as owner_id from disk`,
      reason: deletionSentences.kept,
      elsewhere: true,
    },
    {
      owner: 'image',
      relation: 'stays',
      pairs: sql`select id, image_id as owner_id from disk`,
      reason: deletionSentences.kept,
      elsewhere: true,
      detail: sql`(select name from project where project.id = its.project_id)`,
    },
  ],
}
