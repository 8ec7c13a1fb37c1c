import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, reconciled, reconciledIndexes, table } from './build.ts'

/** Notifications, what users have read of them, and the subscriptions that send them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const notification = {
    id: 'text',
    issue: 'text',
    kind: 'text',
    topic: 'text',
    severity: 'text',
    facts: 'text',
    fleet_id: 'text?',
    silo_id: 'text?',
    project_id: 'text?',
    state: 'text',
    announced: 'text',
    times: 'int',
    changes: 'int',
    sequence: 'bigint',
    time: 'text',
    time_held: 'text?',
    time_began: 'text?',
    time_resolved: 'text?',
    time_created: 'text',
  }
  await table(db, dialect, 'notification', notification, ['id'])
  // One for each condition of the centre, so that pages are read along them.
  for (const [name, place, where] of [
    ['of_fleet', 'fleet_id', 'fleet_id is not null'],
    ['of_silo', 'silo_id', 'project_id is null'],
    ['in_silo', 'silo_id', 'project_id is not null'],
    ['of_project', 'project_id', 'project_id is not null'],
  ] as const) {
    await index(db, `notification_${name}`, 'notification', [place, 'time', 'id'], { where })
  }
  await index(db, 'notification_sequence', 'notification', ['sequence'])
  await index(db, 'notification_issue', 'notification', ['issue', 'time_created'])
  // An issue has one open notification, whichever server found it.
  await index(db, 'notification_open', 'notification', ['issue'], {
    unique: true,
    where: "state = 'open'",
  })
  await index(db, 'notification_held', 'notification', ['time_held'], {
    where: 'time_held is not null',
  })
  await index(db, 'notification_time', 'notification', ['time'])

  const read = { user_id: 'text', notification_id: 'text', time_read: 'text' }
  await table(db, dialect, 'notification_read', read, ['user_id', 'notification_id'])
  await index(db, 'notification_read_of', 'notification_read', ['notification_id'])

  const reader = {
    user_id: 'text',
    read_until: 'text?',
    topics: 'text?',
    confirmations: 'int',
    confirmations_day: 'text',
  }
  await table(db, dialect, 'notification_reader', reader, ['user_id'])

  const subscription = {
    id: 'text',
    user_id: 'text?',
    project_id: 'text?',
    silo_id: 'text',
    scope: 'text',
    scope_project_id: 'text?',
    topics: 'text',
    severity: 'text',
    digest: 'text',
    channel: 'text',
    address: 'text',
    room: 'text?',
    secret: 'text?',
    link_key: 'text',
    time_confirmed: 'text?',
    time_asked: 'text?',
    wants_test: 'int',
    sent_until: 'bigint',
    attempts: 'int',
    problem: 'text?',
    time_failed: 'text?',
    time_last_sent: 'text?',
    time_next_attempt: 'text?',
    time_created: 'text',
    time_modified: 'text',
    ...reconciled,
  }
  const name = 'notification_subscription'
  await table(db, dialect, name, subscription, ['id'])
  for (const owner of ['user_id', 'project_id', 'scope_project_id']) {
    await index(db, `${name}_of_${owner}`, name, [owner], { where: `${owner} is not null` })
  }
  await reconciledIndexes(db, name)
  // Few addresses wait for a confirmation, and few fail.
  await index(db, `${name}_unconfirmed`, name, ['time_created'], {
    where: 'time_confirmed is null',
  })
  await index(db, `${name}_undelivered`, name, ['time_failed'], {
    where: 'time_failed is not null',
  })
}
