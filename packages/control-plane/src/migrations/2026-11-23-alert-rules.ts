import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, table } from './build.ts'

/** Alert rules, the states of their series, and their firings. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const rule = {
    ...listed,
    project_id: 'text?',
    fleet_id: 'text?',
    query: 'text',
    comparison: 'text',
    threshold: 'text?',
    duration: 'int',
    units: 'text?',
    severity: 'text',
    enabled: 'int',
    state: 'text',
    time_state_updated: 'text',
    time_evaluated: 'text?',
    problem: 'text?',
    series: 'int',
    firing: 'int',
    pending: 'int',
    time_watched: 'text',
    time_due: 'text?',
    revision: 'bigint',
  }
  await table(db, dialect, 'alert_rule', rule, ['id'])
  const columns = {
    natural_name: 'name_key',
    description: 'description',
    state: 'state',
    severity: 'severity',
    created: 'time_created',
  }
  for (const [prefix, parent] of [
    ['alert_rule', 'project_id'],
    ['system_alert_rule', 'fleet_id'],
  ] as const) {
    const where = `${parent} is not null`
    await index(db, `${prefix}_name`, 'alert_rule', [parent, 'name'], { unique: true, where })
    for (const [sort, column] of Object.entries(columns)) {
      await index(db, `${prefix}_by_${sort}`, 'alert_rule', [parent, column, 'id'], { where })
    }
    const found = [parent, 'name', 'description', 'state', 'severity', 'time_created', 'id']
    await index(db, `${prefix}_search`, 'alert_rule', found, {
      where: `${where} and name <> ''`,
    })
  }
  await index(db, 'alert_rule_due', 'alert_rule', ['time_due'], { where: 'time_due is not null' })
  // Few rules need attention.
  await index(db, 'alert_rule_firing_now', 'alert_rule', ['time_state_updated'], {
    where: 'firing > 0',
  })
  await index(db, 'alert_rule_failing', 'alert_rule', ['time_state_updated'], {
    where: 'problem is not null',
  })

  const state = { rule_id: 'text', series: 'text', evaluated_to: 'bigint' }
  await table(db, dialect, 'alert_rule_state', state, ['rule_id'])

  const firing = {
    id: 'text',
    rule_id: 'text',
    series_key: 'text',
    fields: 'text',
    instance_id: 'text?',
    disk_id: 'text?',
    time_since: 'text',
    time_fired: 'text',
    time_resolved: 'text?',
    resolution: 'text?',
    value: 'text?',
  }
  await table(db, dialect, 'alert_rule_firing', firing, ['id'])
  await index(db, 'alert_rule_firing_rule', 'alert_rule_firing', ['rule_id', 'time_fired', 'id'])
  // A series has one firing at a time, whichever server evaluates it.
  await index(db, 'alert_rule_firing_open', 'alert_rule_firing', ['rule_id', 'series_key'], {
    unique: true,
    where: 'time_resolved is null',
  })
  for (const thing of ['instance', 'disk']) {
    await index(db, `alert_rule_firing_${thing}`, 'alert_rule_firing', [`${thing}_id`], {
      where: `time_resolved is null and ${thing}_id is not null`,
    })
  }
  await index(db, 'alert_rule_firing_over', 'alert_rule_firing', ['time_resolved'], {
    where: 'time_resolved is not null',
  })
}
