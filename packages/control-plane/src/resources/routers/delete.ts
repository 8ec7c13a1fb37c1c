import type { Writing } from '../../kernel/work.ts'

/** Deletes the routers of a VPC that is deleted, with their routes. */
export async function deleteRoutersOf(
  { db, now }: Pick<Writing, 'db' | 'now'>,
  vpcId: string,
): Promise<void> {
  const time_deleted = now.toISOString()
  await db
    .updateTable('router_route')
    .set({ time_deleted })
    .where(
      'vpc_router_id',
      'in',
      db.selectFrom('vpc_router').select('id').where('vpc_id', '=', vpcId),
    )
    .where('time_deleted', 'is', null)
    .execute()
  await db
    .updateTable('vpc_router')
    .set({ time_deleted })
    .where('vpc_id', '=', vpcId)
    .where('time_deleted', 'is', null)
    .execute()
}
