import type { Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import type { HostTable } from './kind.ts'

/** Writes what an operator wants of a host, which is then due. Steps in progress write nothing. */
export async function changeHost(
  { db, now, emit, afterCommit, services }: Work,
  { id }: Pick<Row<'host'>, 'id'>,
  values: Updateable<HostTable>,
): Promise<Row<'host'>> {
  const time = now.toISOString()
  const row = await db
    .updateTable('host')
    .set({
      ...values,
      generation: sql`generation + 1`,
      time_modified: time,
      reconcile_at: time,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit('host', 'update', row)
  afterCommit(async () => services.reconciler.wake('host'))
  return row
}
