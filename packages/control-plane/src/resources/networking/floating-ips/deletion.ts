import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'

relate('instance', {
  kind: 'floating_ip',
  relation: 'stays',
  pairs: sql`select id, instance_id as owner_id from external_ip`,
  reason: deletionSentences.detached,
  detail: sql`its.ip`,
})
