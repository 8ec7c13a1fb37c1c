import { type Kysely, sql } from 'kysely'
import { index } from './build.ts'

/**
 * Deleted resources that can be restored count in no quota, and their bytes are room for others:
 * what they were charged is given back, and physical disks count them by themselves.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update project set used_storage = used_storage - coalesce((
      select sum(size) from deleted_resource where deleted_resource.project_id = project.id), 0)
    where id in (select project_id from deleted_resource)`.execute(db)
  await sql`
    update silo set used_storage = used_storage - coalesce((
      select sum(size) from deleted_resource where deleted_resource.silo_id = silo.id), 0)
    where id in (select silo_id from deleted_resource)`.execute(db)
  await db.schema
    .alterTable('physical_disk')
    .addColumn('reclaimable', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`
    update physical_disk set reclaimable = coalesce((
      select sum(its.size) from disk_replica as its join disk on disk.id = its.disk_id
      where its.physical_disk_id = physical_disk.id and disk.time_deleted is not null), 0)`.execute(
    db,
  )
  await sql`update physical_disk set used = used - reclaimable`.execute(db)
  // The oldest is released first.
  const oldest = ['time_created', 'id']
  await index(db, 'deleted_resource_oldest', 'deleted_resource', oldest)
  await index(db, 'deleted_resource_oldest_of_silo', 'deleted_resource', ['silo_id', ...oldest])
}
