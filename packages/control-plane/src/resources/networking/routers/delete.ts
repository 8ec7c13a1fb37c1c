import { routerCannotDelete } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { projectOfVpc } from './project.ts'

type Written = Pick<Writing, 'db' | 'now'>

/** Deletes all routes of the given routers. */
const deleteRoutesOf = ({ db, now }: Written, routerIds: string[]) =>
  db
    .updateTable('router_route')
    .set({ time_deleted: now.toISOString() })
    .where('vpc_router_id', 'in', routerIds)
    .where('time_deleted', 'is', null)
    .execute()

/**
 * Deletes a custom router with its routes. The subnets that used it then have only the system
 * router.
 * @throws ApiError 400 for a system router
 */
export const deleteRouter = (work: Deleting, router: Row<'vpc_router'>): Promise<void> =>
  keeping(work, 'vpc_router', router, () => removeRouter(work, router))

async function removeRouter(work: Writing, router: Row<'vpc_router'>): Promise<void> {
  const { db, now, emit } = work
  const stays = routerCannotDelete(router.kind)
  if (stays) throw fail.invalidRequest(stays.api)
  const place = await projectOfVpc(db, router.vpc_id)
  const detached = await db
    .updateTable('vpc_subnet')
    .set({ custom_router_id: null, time_modified: now.toISOString() })
    .where('custom_router_id', '=', router.id)
    .where('time_deleted', 'is', null)
    .returning(['id', 'name'])
    .execute()
  await deleteRoutesOf(work, [router.id])
  for (const subnet of detached) await emit('vpc_subnet', 'update', { ...subnet, ...place })
  await deleteRow(work, 'vpc_router', router, {}, place)
}

/** Deletes the routers of a deleted VPC, with their routes. */
export async function deleteRoutersOf({ db, now }: Written, vpcId: string): Promise<void> {
  const routers = await db
    .updateTable('vpc_router')
    .set({ time_deleted: now.toISOString() })
    .where('vpc_id', '=', vpcId)
    .where('time_deleted', 'is', null)
    .returning('id')
    .execute()
  await deleteRoutesOf({ db, now }, idsIn(routers))
}
