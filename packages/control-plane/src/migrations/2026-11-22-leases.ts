import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/**
 * Separates leases from alarms, and stores the simulated machines in tables of their own, so that
 * several servers can share them.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const name of ['instance', 'disk', 'snapshot', 'job']) {
    await db.schema.alterTable(name).addColumn('lease_until', sql.raw('bigint')).execute()
    await db.schema
      .alterTable(name)
      .addColumn('fence', sql.raw('int'), (c) => c.notNull().defaultTo(0))
      .execute()
    await index(db, `${name}_leased`, name, ['lease_until'], { where: 'lease_until is not null' })
  }
  await table(db, dialect, 'lease', { id: 'text', token: 'int', lease_until: 'bigint' }, ['id'])

  await table(
    db,
    dialect,
    'simulated_machine',
    {
      id: 'text',
      sled_id: 'text',
      spec: 'text',
      phase: 'text',
      since: 'bigint',
      reboots: 'int',
      version: 'int',
    },
    ['id'],
  )
  await index(db, 'simulated_machine_moving', 'simulated_machine', ['sled_id'], {
    where: "phase in ('booting', 'rebooting', 'stopping')",
  })
  await table(
    db,
    dialect,
    'simulated_output',
    { machine_id: 'text', boot: 'int', byte_offset: 'bigint', byte_length: 'int', data: 'text' },
    ['machine_id', 'boot', 'byte_offset'],
  )
  const sequence =
    dialect === 'postgres' ? 'bigserial primary key' : 'integer primary key autoincrement'
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text'
  await sql
    .raw(
      `create table simulated_input (id ${sequence}, machine_id ${text} not null,
       sled_id ${text} not null, data ${text} not null)`,
    )
    .execute(db)
  await index(db, 'simulated_input_sled', 'simulated_input', ['sled_id', 'id'])
  await table(
    db,
    dialect,
    'simulated_viewer',
    {
      machine_id: 'text',
      server: 'text',
      sled_id: 'text',
      boot: 'int',
      byte_offset: 'bigint',
      lease_until: 'bigint',
    },
    ['machine_id', 'server'],
  )
  await table(
    db,
    dialect,
    'import_writer',
    { disk_id: 'text', server: 'text', lease_until: 'bigint' },
    ['disk_id', 'server'],
  )
  await moveMachines(db)
  await db.schema.alterTable('simulated_volume').renameTo('volume').execute()
}

interface OldMachine {
  id: string
  state: string
  sled_id: string | null
}

/** Moves the machines and their consoles, which were stored as one text per machine. */
async function moveMachines(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped as Kysely<any>
  const machines: OldMachine[] = await db
    .selectFrom('simulated_vm')
    .leftJoin('instance', 'instance.vm_id', 'simulated_vm.id')
    .select(['simulated_vm.id', 'simulated_vm.state', 'instance.sled_id'])
    .execute()
  for (const { id, state, sled_id } of machines) {
    // A machine without an instance would be removed anyway.
    if (sled_id === null) continue
    const { spec, phase, since, reboots } = JSON.parse(state)
    const { name, hostname, ncpus, memory, sledSerial, disks, interfaces } = spec
    const volumes = disks.map((disk: object, slot: number) => ({ id: '', slot, ...disk }))
    const nics = interfaces.map(({ ips, ...nic }: { ips: string[] }) => ({
      ...nic,
      addresses: ips.map((address) => ({ address })),
    }))
    const sled = { id: sled_id, serial: sledSerial }
    await db
      .insertInto('simulated_machine')
      .values({
        id,
        sled_id,
        spec: JSON.stringify({ name, hostname, ncpus, memory, sled, volumes, interfaces: nics }),
        phase,
        since,
        reboots,
        version: 0,
      })
      .execute()
    const chunks: { byte_offset: number; data: string }[] = await db
      .selectFrom('simulated_console')
      .select(['byte_offset', 'data'])
      .where('vm_id', '=', id)
      .execute()
    for (const { byte_offset, data } of chunks) {
      const byte_length = (data.length / 4) * 3 - (/=*$/.exec(data)?.[0].length ?? 0)
      await db
        .insertInto('simulated_output')
        .values({ machine_id: id, boot: reboots, byte_offset, byte_length, data })
        .execute()
    }
  }
  await db.schema.dropTable('simulated_console').execute()
  await db.schema.dropTable('simulated_vm').execute()
}
