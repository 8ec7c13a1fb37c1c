import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { GiB } from '../../packages/api/src/rules.ts'
import { named } from '../../packages/control-plane/src/kernel/search/name-key.ts'

/** Instances with an address. */
const REACHABLE = 1000

/** Address of the nth instance, in each project. */
export const addressOf = (index: number): string => `203.0.${index >> 8}.${index & 255}`

/** The next start rebuilds the full-text index of a table, which is faster than row by row. */
function dropTriggers(db: DatabaseSync, table: string): void {
  const triggers = db
    .prepare(`select name from sqlite_master where type = 'trigger' and tbl_name = ?`)
    .all(table)
  for (const { name } of triggers) db.exec(`drop trigger ${String(name)}`)
}

/**
 * Writes instances without machines into a project's database, a tenth of them failed, some with an
 * address; the host must not be running.
 * @param ncpus fewer than usual, so that as many can run at a time
 */
export function seedInstances(data: string, project: string, count: number, ncpus = 2): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  const row = db.prepare('select id from project where name = ?').get(project) as { id: string }
  const insert = db.prepare(
    `insert into instance (id, name, name_key, description, time_created, time_modified, project_id, ncpus,
       memory, hostname, user_data, run_state, time_run_state_updated, enable_jumbo_frames,
       start_wanted, reboot_count, generation)
     values (:id, :name, :name_key, :description, :time, :time, :project, :ncpus,
       :memory, :name, '', :state, :time, 0, 0, 0, 1)`,
  )
  // One pool per project, so that all can use the same addresses.
  const address = db.prepare(
    `insert into external_ip (id, kind, ip, ip_key, ip_pool_id, project_id, instance_id, first_port,
       last_port, time_created, time_modified)
     values (:id, 'ephemeral', :ip, :key, :project, :project, :instance, 0, 65535, :time, :time)`,
  )
  db.exec('begin')
  dropTriggers(db, 'instance')
  const began = Date.now()
  for (let index = 0; index < count; index++) {
    const time = new Date(began - index * 1000).toISOString()
    const state = index % 10 === 0 ? 'failed' : 'stopped'
    const description = state === 'failed' ? 'an instance of few' : 'an instance among many'
    const name = `instance-${String(index).padStart(6, '0')}`
    const memory = (1 + (index % 7)) * GiB
    const id = randomUUID()
    insert.run({ id, ...named(name), description, time, project: row.id, ncpus, memory, state })
    if (index >= REACHABLE) continue
    const key = `cb00${index.toString(16).padStart(4, '0')}`
    const ip = addressOf(index)
    address.run({ id: randomUUID(), ip, key, project: row.id, instance: id, time })
  }
  db.exec('commit')
  db.exec('analyze')
  db.close()
}

/**
 * Tags the instances of a project: each has one of four values of `env` and one of a thousand of
 * `team`, every hundredth has `rare`, and the last one `only`; the host must not be running.
 */
export function seedTags(data: string, project: string): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  db.exec('begin')
  dropTriggers(db, 'tag')
  const number = 'cast(substr(instance.name, 10) as integer)'
  const add = (key: string, value: string, where: string) =>
    db
      .prepare(
        `insert into tag (thing_id, kind, key, value, parent_id, silo_id, project_id)
         select instance.id, 'instance', '${key}', ${value}, project.id, project.silo_id, project.id
         from instance join project on project.id = instance.project_id
         where project.name = ? and ${where}`,
      )
      .run(project)
  add('env', `'env-' || (${number} % 4)`, '1 = 1')
  add('team', `'team-' || (${number} % 1000)`, '1 = 1')
  add('rare', `''`, `${number} % 100 = 0`)
  const { last } = db
    .prepare(
      `select max(instance.name) as last
       from instance join project on project.id = instance.project_id where project.name = ?`,
    )
    .get(project) as { last: string }
  add('only', `''`, `instance.name = '${last}'`)
  db.exec('commit')
  db.exec('analyze')
  db.close()
}

/**
 * Writes as many disks into a project as it has instances. Disks named like failed instances are
 * faulted, and the others are local; the host must not be running.
 */
export function seedDisks(data: string, project: string): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  db.exec('begin')
  dropTriggers(db, 'disk')
  db.prepare(
    `insert into disk (id, name, name_key, description, time_created, time_modified, project_id, size,
       block_size, disk_type, read_only, state, importing, has_volume, generation)
     select id, name, name_key, description, time_created, time_modified, project_id, memory, 512,
       iif(run_state = 'failed', 'distributed', 'local'), 0,
       iif(run_state = 'failed', 'faulted', 'detached'), 0, 0, 1
     from instance where project_id = (select id from project where name = ?)`,
  ).run(project)
  db.exec('commit')
  db.exec('analyze')
  db.close()
}
