import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** Releases of the system's software, and the uploads that they come from. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'update_repository',
    {
      id: 'text',
      fleet_id: 'text',
      name: 'text',
      hash: 'text',
      file_name: 'text',
      size: 'bigint',
      time_created: 'text',
      time_pruned: 'text?',
    },
    ['id'],
  )
  await index(db, 'update_repository_name', 'update_repository', ['name'], {
    unique: true,
    where: 'time_pruned is null',
  })
  await table(
    db,
    dialect,
    'update_artifact',
    {
      repository_id: 'text',
      name: 'text',
      kind: 'text',
      version: 'text',
      hash: 'text',
      size: 'bigint',
    },
    ['repository_id', 'kind', 'name'],
  )
  await index(db, 'update_artifact_hash', 'update_artifact', ['hash'])
  await table(
    db,
    dialect,
    'update_upload',
    {
      id: 'text',
      fleet_id: 'text',
      file_name: 'text',
      size: 'bigint',
      resumable: 'int',
      sealed: 'int',
      time_created: 'text',
      time_modified: 'text',
    },
    ['id'],
  )
}
