import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'
import type { Its } from '../../workspace/deletion/things.ts'

relate('instance', {
  kind: 'multicast_group_member',
  relation: 'goes',
  rows: (db) => db.selectFrom('multicast_group as its') as unknown as Its,
  elsewhere: true,
  pairs: sql`select group_id as id, instance_id as owner_id from multicast_group_member`,
  reason: deletionSentences.membership,
  detail: sql`its.multicast_ip`,
})
