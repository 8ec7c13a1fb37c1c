import type { Kysely } from 'kysely'
import { type Dialect, index, table } from '@steading/control-plane/engine'

/** Machines that are domains of libvirt, the hosts they run on, and who they are. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'libvirt_machine',
    {
      id: 'text',
      host: 'text',
      spec: 'text',
      phase: 'text',
      wanted: 'text',
      since: 'bigint',
      started_at: 'bigint?',
      boot: 'int',
      boot_offset: 'bigint',
      log_file: 'text?',
      log_start: 'bigint',
      reboots: 'int',
      failure: 'text?',
      version: 'int',
    },
    ['id'],
  )
  await index(db, 'libvirt_machine_host', 'libvirt_machine', ['host', 'id'])
  await table(
    db,
    dialect,
    'libvirt_host',
    {
      serial: 'text',
      sled_id: 'text?',
      threads: 'int',
      ram: 'bigint',
      model: 'text',
      disk: 'bigint',
      seen: 'bigint',
    },
    ['serial'],
  )
}
