import type { Kysely } from 'kysely'
import { type Dialect, index, table } from '@steading/control-plane/engine'

/** Networks of machines, and the ports of hosts that are forwarded to them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'libvirt_network',
    {
      machine_id: 'text',
      host: 'text',
      network: 'text',
      version: 'int',
      applied_version: 'int?',
    },
    ['machine_id'],
  )
  await table(
    db,
    dialect,
    'libvirt_port',
    {
      host: 'text',
      address: 'text',
      protocol: 'text',
      port: 'int',
      machine_id: 'text',
      external: 'text',
      guest_port: 'int',
    },
    ['host', 'address', 'protocol', 'port'],
  )
  await index(
    db,
    'libvirt_port_of_machine',
    'libvirt_port',
    ['machine_id', 'external', 'protocol', 'guest_port'],
    { unique: true },
  )
}
