import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'

/** Indexes that repeat a unique one on the same columns. */
const repeated = ['network_interface_vpc_mac', 'silo_found']

/** Tables of which each row is read by its whole key, and is little more than it. */
const keyed = {
  free_address: {
    columns: ['space_id text not null', 'first_key text not null', 'last_key text not null'],
    key: ['space_id', 'first_key'],
  },
  free_snat: {
    columns: ['ip_pool_id text not null', 'ip_key text not null', 'first_port int not null'],
    key: ['ip_pool_id', 'ip_key', 'first_port'],
  },
}

/** Stores the rows of a table in the index of its primary key, instead of beside it. */
async function storeInKey(db: Kysely<unknown>, table: keyof typeof keyed): Promise<void> {
  const { columns, key } = keyed[table]
  await db.schema.alterTable(table).renameTo('before').execute()
  await sql
    .raw(
      `create table ${table} (${columns.join(', ')},
        constraint ${table}_${key[0]}_fkey foreign key (${key[0]}) references address_space (id) on delete cascade,
        constraint ${table}_pkey primary key (${key.join(', ')})) without rowid`,
    )
    .execute(db)
  await sql.raw(`insert into ${table} select * from before`).execute(db)
  await db.schema.dropTable('before').execute()
}

/** Fewer pages are written for each change. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const name of repeated) await db.schema.dropIndex(name).execute()
  if (dialect !== 'sqlite') return
  // SQLite has one writer, so events are read in the order of their ids.
  await db.schema.dropIndex('event_order').execute()
  await storeInKey(db, 'free_address')
  await storeInKey(db, 'free_snat')
}
