import { type Kysely, sql } from 'kysely'
import { type Dialect, index, type Migrations, table } from '@steading/control-plane/engine'

/** Counts boots apart from requested reboots: a guest may also reboot on its own. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('simulated_machine')
    .addColumn('boot', sql.raw('int'), (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update simulated_machine set boot = reboots`.execute(db)
}

/** Listening ports of programs started at a guest's console. */
const listeners = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(
    db,
    dialect,
    'simulated_listener',
    { machine_id: 'text', port: 'int', peer: 'text?', lease_until: 'bigint' },
    ['machine_id', 'port'],
    { machine_id: 'simulated_machine' },
  )

/** Hardware of the simulated rack, filled in when the control plane first reads it. */
async function hardware(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'simulated_sled',
    {
      serial: 'text',
      part: 'text',
      revision: 'int',
      cubby: 'int',
      threads: 'int',
      ram: 'bigint',
      cpu_platform: 'text',
      down: 'int',
      sled_id: 'text?',
    },
    ['serial'],
  )
  await table(
    db,
    dialect,
    'simulated_disk',
    {
      serial: 'text',
      sled_serial: 'text',
      vendor: 'text',
      model: 'text',
      form_factor: 'text',
      slot: 'int',
      size: 'bigint',
      failed: 'int',
    },
    ['serial'],
  )
  await table(
    db,
    dialect,
    'simulated_switch',
    { serial: 'text', part: 'text', revision: 'int', slot: 'text' },
    ['serial'],
  )
}
/** Current and past outages of routers at uplinks. */
const outages = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(
    db,
    dialect,
    'simulated_outage',
    { switch_slot: 'text', address: 'text', time_began: 'text', time_ended: 'text?' },
    ['switch_slot', 'address'],
  )

const multicast = async (db: Kysely<unknown>, dialect: Dialect): Promise<void> => {
  const columns = { id: 'text', address: 'text', version: 'int', receivers: 'text' }
  await table(db, dialect, 'simulated_multicast', columns, ['id'])
  await index(db, 'simulated_multicast_address', 'simulated_multicast', ['address'])
}

/** Moves of machines, and software of the components of sleds and switches. */
const updates = async (db: Kysely<unknown>, dialect: Dialect): Promise<void> => {
  await db.schema.alterTable('simulated_machine').addColumn('move', 'text').execute()
  await db.schema
    .alterTable('simulated_sled')
    .addColumn('recovered', sql.raw('int'), (c) => c.notNull().defaultTo(0))
    .execute()
  await table(
    db,
    dialect,
    'simulated_component',
    { serial: 'text', kind: 'text', artifact: 'text?', next: 'text?', ready_at: 'bigint?' },
    ['serial', 'kind'],
  )
}

/** Empty slots of the power shelf. */
const powerGaps = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(db, dialect, 'simulated_power_gap', { slot: 'int' }, ['slot'])

/** Injected loads of machines. */
const loads = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(
    db,
    dialect,
    'simulated_load',
    {
      machine_id: 'text',
      time_began: 'bigint',
      time_ended: 'bigint?',
      cpu: 'int',
      disk: 'int',
      network: 'int',
    },
    ['machine_id', 'time_began'],
  )

export const simulatedMigrations = (dialect: Dialect): Migrations => ({
  '0014-simulated-boots': { up },
  '0047-simulated-listeners': { up: (db) => listeners(db, dialect) },
  '0050-simulated-hardware': { up: (db) => hardware(db, dialect) },
  '0063-simulated-outages': { up: (db) => outages(db, dialect) },
  '0069-simulated-multicast': { up: (db) => multicast(db, dialect) },
  '0078-simulated-updates': { up: (db) => updates(db, dialect) },
  '0087-simulated-power': { up: (db) => powerGaps(db, dialect) },
  '0088-simulated-loads': { up: (db) => loads(db, dialect) },
})
