import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { STEP_FAILING } from '../kernel/reconciler/reconciler.ts'
import { index, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    name: 'text',
    description: 'text',
    os: 'text',
    version: 'text',
    project_id: 'text',
    silo_id: 'text',
    for_silo: 'int',
    author_id: 'text',
    url: 'text',
    checksum: 'text?',
    block_size: 'int?',
    state: 'text',
    disk_id: 'text?',
    snapshot_id: 'text?',
    size: 'bigint?',
    received: 'bigint',
    furthest: 'bigint',
    validator: 'text?',
    wanted: 'text?',
    attempts: 'int',
    problem: 'text?',
    image_id: 'text?',
    time_created: 'text',
    time_started: 'text',
    time_finished: 'text?',
    reconcile_at: 'text?',
    lease_until: 'bigint?',
    fence: 'int',
    step_failures: 'int',
    step_failure: 'text?',
    time_step_failed: 'text?',
  }
  await table(db, dialect, 'image_download', columns, ['id'])
  const indexed = (name: string, on: string[], where?: string) =>
    index(db, `image_download_${name}`, 'image_download', on, where ? { where } : {})
  await indexed('of_project', ['project_id', 'time_created', 'id'])
  await indexed('of_silo', ['silo_id', 'state'])
  await indexed('reconcile', ['reconcile_at'], 'reconcile_at is not null')
  await indexed('lease', ['lease_until'], 'lease_until is not null')
  await indexed('failing', ['time_step_failed'], STEP_FAILING)
}
