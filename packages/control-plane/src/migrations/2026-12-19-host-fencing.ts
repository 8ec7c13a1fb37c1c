import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, reconciled, reconciledIndexes, table } from './build.ts'

/** How hosts are switched off, how far that is, and what has happened to them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const fencing = {
    id: 'text',
    method: 'text',
    automatic: 'int',
    address: 'text?',
    port: 'int?',
    user_name: 'text?',
    password: 'text?',
    system: 'text?',
    verify_certificate: 'int',
    check_due: 'int',
    time_checked: 'text?',
    checked: 'text?',
    state: 'text',
    incident: 'text?',
    time_since: 'text?',
    hold: 'text?',
    calls: 'int',
    requested: 'int',
    failures: 'int',
    failure: 'text?',
    remedy: 'text?',
    time_failed: 'text?',
    generation: 'int',
    ...reconciled,
  }
  await table(db, dialect, 'host_fencing', fencing, ['id'])
  await reconciledIndexes(db, 'host_fencing')
  const event = {
    id: 'text',
    host_id: 'text',
    incident: 'text',
    position: 'int',
    kind: 'text',
    detail: 'text?',
    instance_id: 'text?',
    instance_name: 'text?',
    sled: 'text?',
    time: 'text',
  }
  await table(db, dialect, 'host_event', event, ['id'])
  await index(db, 'host_event_of_host', 'host_event', ['host_id', 'position'])
  await index(db, 'host_event_of_incident', 'host_event', ['incident', 'position'])
  await index(db, 'host_event_of_instance', 'host_event', ['instance_id', 'time'], {
    where: 'instance_id is not null',
  })
  await index(db, 'host_event_by_time', 'host_event', ['time'])
  await db.schema
    .alterTable('sled')
    .addColumn('fenced', sql.raw('int'), (c) => c.notNull().defaultTo(0))
    .execute()
}
