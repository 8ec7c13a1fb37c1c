import type { Kysely } from 'kysely'

/** Volumes that are copied to another storage pool while a guest uses them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('libvirt_transfer').addColumn('machine_id', 'text').execute()
  for (const name of ['attempts', 'switching']) {
    await schema
      .alterTable('libvirt_transfer')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  }
}
