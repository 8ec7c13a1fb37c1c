import type { Kysely } from 'kysely'
import type { Dialect } from '../../../kernel/db/database.ts'

/** Adds the position of the item that has to succeed before another one. */
export async function jobNeeds(db: Kysely<unknown>, _dialect: Dialect): Promise<void> {
  await db.schema.alterTable('job_item').addColumn('needs_position', 'integer').execute()
}

/** Adds the number of things with data that a job was planned to delete. */
export async function jobDestroys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('job')
    .addColumn('destroys', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

/** Adds the containers of targets and of the things of items. */
export async function jobPlaces(db: Kysely<unknown>): Promise<void> {
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
