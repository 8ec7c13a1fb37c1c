import {
  deletionRule,
  deletionSentences,
  instanceStates,
  type Obstacle,
  PRIMARY_STAYS,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { may } from '../../../kernel/authz/actor.ts'
import { stepForbidden } from '../../../kernel/step-permission.ts'
import { groupOf } from '../../workspace/deletion/groups.ts'
import { relate, tell } from '../../workspace/deletion/relations.ts'
import { thingRows } from '../../workspace/deletion/things.ts'

relate('instance', {
  kind: 'network_interface',
  relation: 'goes',
  pairs: sql`select id, instance_id as owner_id from network_interface`,
  reason: deletionSentences.network_interface,
  detail: sql`coalesce(its.ipv4, its.ipv6)`,
})

const columns = { vpc: 'vpc_id', vpc_subnet: 'subnet_id' } as const
type Container = keyof typeof columns

const { obstacle } = deletionRule('network_interface')

/** What is in the way of an interface, by the state of its instance. */
const obstacles = new Map(
  instanceStates.map((state) => [state, obstacle!({ state: null, holder: { state } })]),
)

/** True of the interfaces of instances in some states. */
function inStates(its: string, wanted: (obstacle: Obstacle | undefined) => boolean) {
  const states = instanceStates.filter((state) => wanted(obstacles.get(state)))
  return sql<boolean>`${sql.ref(`${its}.instance_id`)} in (
    select id from instance where run_state in (${sql.join(states)}))`
}

/** True of primary interfaces whose instances have others outside of a subnet. */
const hasOthers = (its: string, subnetId: string) =>
  sql<boolean>`${sql.ref(`${its}.is_primary`)} = 1 and exists (
    select 1 from network_interface as other
    where other.instance_id = ${sql.ref(`${its}.instance_id`)} and other.subnet_id != ${subnetId})`

const isStuck = (one: Obstacle | undefined) => one?.steps.length === 0
const isStopped = (one: Obstacle | undefined) => one !== undefined && one.steps.length > 0

/**
 * True of the interfaces in a VPC or a subnet that no chain of steps can delete.
 * @param its what the query calls the interfaces
 */
export function stuckIn(container: Container, id: string, its = 'its'): RawBuilder<boolean> {
  const byState = inStates(its, isStuck)
  // All interfaces of an instance are in the same VPC.
  return container === 'vpc' ? byState : sql<boolean>`(${byState} or ${hasOthers(its, id)})`
}

for (const container of ['vpc', 'vpc_subnet'] as const) {
  // The interfaces in it: those that can be deleted before it, those whose instances have to be
  // stopped for that, and those that nothing can delete.
  tell(container, async ({ db, actor }, { id, project_id }, can) => {
    const scope = { siloId: actor.siloId, projectId: project_id! }
    const mayDelete = can && may(actor, 'modify', 'network_interface', scope)
    const mayStop = mayDelete && stepForbidden(actor, 'stop', 'instance', scope) === undefined
    const inside = thingRows(db, 'network_interface').where(
      `its.${columns[container]}` as 'its.id',
      '=',
      id,
    )
    const free = inside.where((eb) => eb.not(stuckIn(container, id)))
    const blocks = {
      relation: 'blocks',
      kind: 'network_interface',
      detail: sql<string>`(select name from instance where instance.id = its.instance_id)`,
    } as const
    const stopped = obstacles.get('running')!
    const stuck = obstacles.get('repairing')!
    const groups = [
      groupOf({
        ...blocks,
        rows: free.where(inStates('its', (one) => !one)),
        reason: deletionSentences.interfacesInSubnets,
        canGo: mayDelete,
      }),
      groupOf({
        ...blocks,
        rows: free.where(inStates('its', isStopped)),
        reason: stopped.reason,
        canGo: mayStop,
        steps: stopped.steps,
      }),
      groupOf({ ...blocks, rows: inside.where(inStates('its', isStuck)), reason: stuck.reason }),
    ]
    if (container === 'vpc_subnet') {
      const kept = inside
        .where(hasOthers('its', id))
        .where((eb) => eb.not(inStates('its', isStuck)))
      groups.push(groupOf({ ...blocks, rows: kept, reason: PRIMARY_STAYS }))
    }
    return (await Promise.all(groups)).flat()
  })
}
