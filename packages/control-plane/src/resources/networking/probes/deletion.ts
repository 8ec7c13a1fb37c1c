import { kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { may } from '../../../kernel/authz/actor.ts'
import { groupOf } from '../../workspace/deletion/groups.ts'
import { tell } from '../../workspace/deletion/relations.ts'
import { thingRows } from '../../workspace/deletion/things.ts'

// The probes in a VPC or a subnet have to be deleted before it.
for (const [container, column] of [
  ['vpc', 'its.vpc_id'],
  ['vpc_subnet', 'its.subnet_id'],
] as const) {
  tell(container, ({ db, actor }, { id, project_id }, can) => {
    const scope = { siloId: actor.siloId, projectId: project_id! }
    return groupOf({
      relation: 'blocks',
      kind: 'probe',
      rows: thingRows(db, 'probe').where(column as 'its.id', '=', id),
      reason: kinds.vpc_subnet.deletion.refusal,
      canGo: can && may(actor, 'modify', 'probe', scope),
      detail: sql<string>`its.ipv4`,
    })
  })
}
