import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'
import { thingRows } from '../../workspace/deletion/things.ts'

relate('instance', {
  kind: 'serial_console',
  relation: 'goes',
  rows: (db) => thingRows(db, 'instance'),
  pairs: sql`select id, id as owner_id from instance
    where vm_id is not null or last_vm_id is not null`,
  reason: deletionSentences.serial_console,
})
