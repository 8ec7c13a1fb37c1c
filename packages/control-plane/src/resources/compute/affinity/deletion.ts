import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'
import { thingRows } from '../../workspace/deletion/things.ts'

for (const kind of ['affinity_group', 'anti_affinity_group'] as const) {
  relate('instance', {
    kind: `${kind}_member`,
    relation: 'goes',
    rows: (db) => thingRows(db, kind),
    pairs: sql`select group_id as id, instance_id as owner_id from affinity_group_member`,
    reason: deletionSentences.membership,
  })
}
