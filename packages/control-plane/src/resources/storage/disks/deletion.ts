import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'

relate('instance', {
  kind: 'disk',
  relation: 'stays',
  pairs: sql`select id, instance_id as owner_id from disk`,
  reason: deletionSentences.detached,
  detail: sql`case when its.id = (select boot_disk_id from instance where id = its.instance_id)
    then 'boot disk' end`,
})

// Disks that were made of a snapshot or an image have data of their own.
relate('snapshot', {
  kind: 'disk',
  relation: 'stays',
  pairs: sql`select id, snapshot_id as owner_id from disk`,
  reason: deletionSentences.kept,
  elsewhere: true,
})
relate('image', {
  kind: 'disk',
  relation: 'stays',
  pairs: sql`select id, image_id as owner_id from disk`,
  reason: deletionSentences.kept,
  elsewhere: true,
  detail: sql`(select name from project where project.id = its.project_id)`,
})
