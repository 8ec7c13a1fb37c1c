/** What is inside of a VPC: some of it goes with it, and subnets have to be deleted before it. */
import { deletionSentences, kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { groupOf } from '../deletion/groups.ts'
import { relate, tell } from '../deletion/relations.ts'
import { type Its, thingRows } from '../deletion/things.ts'

relate('vpc', {
  kind: 'vpc_firewall_rule',
  relation: 'goes',
  rows: (db) =>
    db
      .selectFrom('vpc_firewall_rule as its')
      .where('its.time_deleted', 'is', null) as unknown as Its,
  pairs: sql`select id, vpc_id as owner_id from vpc_firewall_rule`,
  reason: deletionSentences.partOfVpc,
})

tell('vpc', ({ db }, { id }, can) =>
  groupOf({
    relation: 'blocks',
    kind: 'vpc_subnet',
    rows: thingRows(db, 'vpc_subnet').where('its.vpc_id' as 'its.id', '=', id),
    reason: kinds.vpc.deletion.refusal,
    canGo: can,
    detail: sql`its.ipv4_block`,
  }),
)

// A job does not delete interfaces: that takes instances that are stopped, and changes them for good.
tell('vpc', ({ db }, { id }) =>
  groupOf({
    relation: 'blocks',
    kind: 'network_interface',
    rows: db.selectFrom('network_interface as its').where('its.vpc_id', '=', id) as unknown as Its,
    reason: deletionSentences.interfacesInSubnets,
    detail: sql`(select name from instance where instance.id = its.instance_id)`,
  }),
)
