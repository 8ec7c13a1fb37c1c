import { deletionSentences, kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { groupOf } from '../../workspace/deletion/groups.ts'
import { relate, tell } from '../../workspace/deletion/relations.ts'
import { thingRows } from '../../workspace/deletion/things.ts'
import { stuckIn } from '../network-interfaces/deletion.ts'

// The subnets of a VPC: those that can be deleted before it, and those with interfaces that cannot.
tell('vpc', async ({ db }, { id }, can) => {
  const inside = thingRows(db, 'vpc_subnet').where('its.vpc_id' as 'its.id', '=', id)
  const isStuck = sql<boolean>`its.id in (
    select subnet_id from network_interface as nic where nic.vpc_id = ${id} and ${stuckIn('vpc', id, 'nic')})`
  const blocks = {
    relation: 'blocks',
    kind: 'vpc_subnet',
    detail: sql<string>`its.ipv4_block`,
  } as const
  return [
    ...(await groupOf({
      ...blocks,
      rows: inside.where((eb) => eb.not(isStuck)),
      reason: kinds.vpc.deletion.refusal,
      canGo: can,
    })),
    ...(await groupOf({
      ...blocks,
      rows: inside.where(isStuck),
      reason: kinds.vpc_subnet.deletion.refusal,
    })),
  ]
})

relate('vpc_subnet', {
  kind: 'router_route',
  relation: 'goes',
  pairs: sql`select route.id, subnet.id as owner_id from vpc_subnet as subnet
    join vpc on vpc.id = subnet.vpc_id
    join router_route as route on route.vpc_router_id = vpc.system_router_id
      and route.kind = 'vpc_subnet' and route.target_value = subnet.name`,
  reason: deletionSentences.partOfSubnet,
  detail: sql`its.destination_value`,
})
