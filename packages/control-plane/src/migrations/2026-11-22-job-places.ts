import type { Kysely } from 'kysely'

/** Adds what the targets and the things of items are inside of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['job', 'inside'],
    ['job_item', 'thing_inside'],
  ] as const) {
    await db.schema
      .alterTable(table)
      .addColumn(column, 'text', (text) => text.notNull().defaultTo(''))
      .execute()
  }
}
