import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, reconciled, reconciledIndexes, table } from './build.ts'

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
    ...reconciled,
  }
  await table(db, dialect, 'image_download', columns, ['id'])
  const indexed = (name: string, on: string[], where?: string) =>
    index(db, `image_download_${name}`, 'image_download', on, where ? { where } : {})
  await indexed('of_project', ['project_id', 'time_created', 'id'])
  await indexed('of_silo', ['silo_id', 'state'])
  await reconciledIndexes(db, 'image_download')
}
