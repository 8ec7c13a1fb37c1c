import type { Kysely } from 'kysely'

/**
 * Whether the machine of an instance found nothing to boot from; and whether the file of a download
 * may be a raw disk, as those of earlier downloads might.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column, before] of [
    ['instance', 'nothing_to_boot', 0],
    ['image_download', 'raw_disk', 1],
  ] as const) {
    await db.schema
      .alterTable(table)
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(before))
      .execute()
  }
}
