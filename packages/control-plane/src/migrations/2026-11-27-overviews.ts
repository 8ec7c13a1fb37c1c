import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** Sums of the load for charts, and indexes that let overviews read little. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const level = 'double precision?'
  const columns = {
    target_id: 'text',
    time: 'text',
    cpus: level,
    disk_bytes: level,
    network_bytes: level,
    power: level,
    requests: level,
    cpus_provisioned: level,
  }
  await table(db, dialect, 'load', columns, ['target_id', 'time'])
  await index(db, 'load_time', 'load', ['time'])
  await index(db, 'audit_log_project', 'audit_log', ['project_id', 'time_completed', 'id'], {
    where: 'project_id is not null',
  })
  await index(db, 'external_ip_kind', 'external_ip', ['project_id', 'kind'])
}
