/** Deletes gateways and their attachments (control plane 8.5). */
import { gatewayNeeded } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf, readLive } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { projectOfVpc } from '../routers/project.ts'
import { routesTo } from './routes.ts'

type Written = Pick<Writing, 'db' | 'now'>
type Attached = Row<'internet_gateway_ip_pool'> | Row<'internet_gateway_ip_address'>

/** Tables of attachments to gateways. */
export const attachments = ['internet_gateway_ip_pool', 'internet_gateway_ip_address'] as const
export type Attachment = (typeof attachments)[number]

/** Detaches everything from the given gateways. */
async function detachAll({ db, now }: Written, gatewayIds: string[]): Promise<void> {
  if (gatewayIds.length === 0) return
  for (const table of attachments) {
    await db
      .updateTable(table)
      .set({ time_deleted: now.toISOString() })
      .where('internet_gateway_id', 'in', gatewayIds)
      .where('time_deleted', 'is', null)
      .execute()
  }
}

const hasAttached = async (db: Db, kind: Attachment, gatewayId: string): Promise<boolean> =>
  (await rowsOf(db, kind)
    .select('its.id')
    .where('internet_gateway_id', '=', gatewayId)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** @throws ApiError 400 while something is attached to a gateway */
async function requireUnused(db: Db, gatewayId: string): Promise<void> {
  if (await hasAttached(db, 'internet_gateway_ip_pool', gatewayId)) {
    throw fail.invalidRequest(gatewayNeeded.pools)
  }
  if (await hasAttached(db, 'internet_gateway_ip_address', gatewayId)) {
    throw fail.invalidRequest(gatewayNeeded.addresses)
  }
}

/** Deletes the routes that lead to a gateway, in all routers of its VPC. */
async function deleteRoutesTo(
  { db, now, emit }: Writing,
  gateway: Row<'internet_gateway'>,
  place: { project_id: string },
): Promise<void> {
  const routes = await db
    .updateTable('router_route')
    .set({ time_deleted: now.toISOString() })
    .where('id', 'in', routesTo(db, gateway.vpc_id, [gateway.name]).select('route.id'))
    .returning(['id', 'name'])
    .execute()
  for (const route of routes) await emit('router_route', 'delete', { ...route, ...place })
}

/**
 * Deletes a gateway.
 * @param cascade whether its attachments and the routes to it are deleted too
 * @throws ApiError 400 while something is attached to it, without `cascade`
 */
export const deleteGateway = (
  work: Deleting,
  gateway: Row<'internet_gateway'>,
  cascade = false,
): Promise<void> =>
  keeping(work, 'internet_gateway', gateway, () => removeGateway(work, gateway, cascade))

async function removeGateway(
  work: Writing,
  gateway: Row<'internet_gateway'>,
  cascade: boolean,
): Promise<void> {
  const { db } = work
  const place = await projectOfVpc(db, gateway.vpc_id)
  if (cascade) {
    await detachAll(work, [gateway.id])
    await deleteRoutesTo(work, gateway, place)
  } else {
    await requireUnused(db, gateway.id)
  }
  await deleteRow(work, 'internet_gateway', gateway, {}, place)
}

/** Deletes the gateways of a deleted VPC, with their attachments. */
export async function deleteGatewaysOf({ db, now }: Written, vpcId: string): Promise<void> {
  const gateways = await db
    .updateTable('internet_gateway')
    .set({ time_deleted: now.toISOString() })
    .where('vpc_id', '=', vpcId)
    .where('time_deleted', 'is', null)
    .returning('id')
    .execute()
  await detachAll({ db, now }, idsIn(gateways))
}

/** Whether a gateway has routes while an instance of its VPC has an address from a source. */
async function isUsed(
  db: Db,
  gateway: Row<'internet_gateway'>,
  attached: Attached,
): Promise<boolean> {
  const route = await routesTo(db, gateway.vpc_id, [gateway.name])
    .select('route.id')
    .limit(1)
    .executeTakeFirst()
  if (!route) return false
  const addresses = db
    .selectFrom('external_ip as ip')
    .innerJoin('network_interface as nic', 'nic.instance_id', 'ip.instance_id')
    .select('ip.id')
    .where('nic.vpc_id', '=', gateway.vpc_id)
    .limit(1)
  const used =
    'address' in attached
      ? addresses.where('ip.ip', '=', attached.address)
      : addresses.where('ip.ip_pool_id', '=', attached.ip_pool_id)
  return (await used.executeTakeFirst()) !== undefined
}

/**
 * Detaches a pool or an address from its gateway.
 * @param cascade whether to do so although instances send from its addresses
 * @throws ApiError 400 while they do, without `cascade`
 */
export async function detach(
  work: Writing,
  kind: Attachment,
  attached: Attached,
  cascade = false,
): Promise<void> {
  const { db } = work
  const gateway = await readLive(db, 'internet_gateway', attached.internet_gateway_id)
  if (!cascade && (await isUsed(db, gateway, attached))) {
    throw fail.invalidRequest(gatewayNeeded.routes)
  }
  await deleteRow(work, kind, attached, {}, await projectOfVpc(db, gateway.vpc_id))
}
