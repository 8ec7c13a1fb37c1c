/** What goes with a VPC. What has to be deleted before it is declared with the subnets. */
import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'
import type { Its } from '../../workspace/deletion/things.ts'

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
