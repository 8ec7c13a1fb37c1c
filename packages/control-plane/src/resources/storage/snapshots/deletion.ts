import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate, tell } from '../../workspace/deletion/relations.ts'
import { dataGroup, sharers } from '../images/deletion.ts'

relate('instance', {
  kind: 'snapshot',
  relation: 'stays',
  pairs: sql`select snapshot.id, disk.instance_id as owner_id from snapshot
    join disk on disk.id = snapshot.disk_id and disk.time_deleted is null`,
  reason: deletionSentences.kept,
})
relate('disk', {
  kind: 'snapshot',
  relation: 'stays',
  pairs: sql`select id, disk_id as owner_id from snapshot`,
  reason: deletionSentences.kept,
})
relate('image', {
  kind: 'snapshot',
  relation: 'stays',
  pairs: sql`select snapshot_id as id, id as owner_id from image`,
  reason: deletionSentences.kept,
  elsewhere: true,
})

tell('snapshot', async (asker, snapshot) =>
  dataGroup(snapshot, await sharers(asker, snapshot.id), deletionSentences.dataOfImages),
)
