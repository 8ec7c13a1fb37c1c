import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { relate } from '../../workspace/deletion/relations.ts'

relate('vpc', {
  kind: 'vpc_router',
  relation: 'goes',
  pairs: sql`select id, vpc_id as owner_id from vpc_router`,
  reason: deletionSentences.partOfVpc,
})

relate('vpc_router', {
  kind: 'router_route',
  relation: 'goes',
  pairs: sql`select id, vpc_router_id as owner_id from router_route`,
  reason: deletionSentences.partOfRouter,
  detail: sql`its.destination_value`,
})
relate('vpc_router', {
  kind: 'vpc_subnet',
  relation: 'stays',
  pairs: sql`select id, custom_router_id as owner_id from vpc_subnet`,
  reason: deletionSentences.leftToSystemRouter,
  detail: sql`its.ipv4_block`,
})
