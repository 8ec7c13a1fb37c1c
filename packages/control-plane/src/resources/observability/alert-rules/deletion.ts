import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'

relate('project', {
  kind: 'alert_rule',
  relation: 'goes',
  pairs: sql`select id, project_id as owner_id from alert_rule where project_id is not null`,
  reason: deletionSentences.partOfProject,
})
