import type { Db } from '../../../kernel/db/database.ts'

/** Bytes of the largest physical disk or directory, in use or not; 0 if there is none. */
export async function largestPlace(db: Db): Promise<number> {
  const { size: disk } = await db
    .selectFrom('physical_disk')
    .select((eb) => eb.fn.max('size').as('size'))
    .where('form_factor', '=', 'u2')
    .executeTakeFirstOrThrow()
  const { size: directory } = await db
    .selectFrom('storage_pool')
    .select((eb) => eb.fn.max('size').as('size'))
    .where('type', '<>', 'physical_disks')
    .where('time_deleted', 'is', null)
    .executeTakeFirstOrThrow()
  return Math.max(disk ?? 0, directory ?? 0)
}
