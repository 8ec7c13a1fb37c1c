import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'
import type { Its } from '../../workspace/deletion/things.ts'
import { attachments } from './delete.ts'

relate('vpc', {
  kind: 'internet_gateway',
  relation: 'goes',
  pairs: sql`select id, vpc_id as owner_id from internet_gateway`,
  reason: deletionSentences.partOfVpc,
})

for (const kind of attachments) {
  relate('internet_gateway', {
    kind,
    relation: 'goes',
    rows: (db) =>
      db
        .selectFrom(`${kind} as its` as 'internet_gateway_ip_pool as its')
        .where('its.time_deleted', 'is', null) as unknown as Its,
    pairs: sql`select id, internet_gateway_id as owner_id from ${sql.table(kind)}`,
    reason: deletionSentences.detached,
  })
}

relate('internet_gateway', {
  kind: 'router_route',
  relation: 'goes',
  pairs: sql`select route.id, gateway.id as owner_id from router_route as route
    join vpc_router as router on router.id = route.vpc_router_id
    join internet_gateway as gateway
      on gateway.vpc_id = router.vpc_id and gateway.name = route.target_value
    where route.target_type = 'internet_gateway'`,
  reason: deletionSentences.routesToGateway,
  detail: sql`its.destination_value`,
})
