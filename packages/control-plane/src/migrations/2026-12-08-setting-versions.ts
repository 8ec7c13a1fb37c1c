import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** Versions of firewall rules, routes and settings, with the parts of their contents. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const version = {
    setting: 'text',
    thing_id: 'text',
    version: 'int',
    time_created: 'text',
    author_id: 'text?',
    author_name: 'text?',
    author_silo_id: 'text?',
    auth_method: 'text?',
    operation_id: 'text?',
    request_id: 'text?',
    job_id: 'text?',
    restored_version: 'int?',
    reason: 'text?',
    added: 'int',
    changed: 'int',
    removed: 'int',
    size: 'bigint',
  }
  await table(db, dialect, 'setting_version', version, ['thing_id', 'setting', 'version'])

  const item = {
    setting: 'text',
    thing_id: 'text',
    item_key: 'text',
    first_version: 'int',
    last_version: 'int?',
    value: 'text',
  }
  const key = ['thing_id', 'setting', 'item_key', 'first_version']
  await table(db, dialect, 'setting_version_item', item, key)
  await index(db, 'setting_version_item_last', 'setting_version_item', [
    'thing_id',
    'setting',
    'last_version',
  ])
}
