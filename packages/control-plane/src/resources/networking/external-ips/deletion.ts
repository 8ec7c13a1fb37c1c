import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'
import type { Its } from '../../workspace/deletion/things.ts'

relate('instance', {
  kind: 'ephemeral_ip',
  relation: 'goes',
  rows: (db) => db.selectFrom('external_ip as its') as unknown as Its,
  pairs: sql`select id, instance_id as owner_id from external_ip where kind = 'ephemeral'`,
  reason: deletionSentences.ephemeral_ip,
  name: 'its.ip',
})
