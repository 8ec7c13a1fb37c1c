import { sql } from 'kysely'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { idsOf, oneOf } from '../../../kernel/search/filters.ts'
import type { Handle, HandleForm } from '../../../kernel/search/handles.ts'
import { described, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { giveBackAddress } from '../ip-pools/addresses.ts'
import { freeInterfaceAddresses } from '../network-interfaces/subnet-addresses.ts'
import { type ProbeRow, toWireListedProbes } from './wire.ts'
import { probeTables } from './table.ts'

const handle = (form: HandleForm, column: string): Handle => ({
  form,
  table: 'probe',
  column,
  thing: 'id',
  within: (projects) => sql`project_id in (${projects})`,
})

export async function deleteProbe(work: Writing, row: ProbeRow): Promise<void> {
  await freeInterfaceAddresses(work.db, [row])
  await giveBackAddress(work.db, row.ip_pool_id, row.ip_key)
  await deleteRow(work, 'probe', row)
}

export const probe: StoredKind<'probe'> = {
  tables: probeTables,
  // A deleted probe has no row.
  live: '1 = 1',
  search: searchOf('probe_search', {
    searched: [...described, 'ip', 'ipv4', 'ipv6'],
    handles: [
      handle('ip', 'ip'),
      handle('ip', 'ipv4'),
      handle('ip', 'ipv6'),
      handle('mac', 'mac'),
      handle('id', 'interface_id'),
    ],
    sorts: { ...usualSorts, ip: text('ip_key') },
    filters: { pool: idsOf('ip_pool_id', 'ip_pool'), sled: oneOf('sled_id') },
    toWire: (rows: ProbeRow[], { db }) => toWireListedProbes(db, rows),
  }),
  steps: {
    delete: stepOn('probe', 'probe_delete', deleteProbe),
  },
  deletion: {
    columns: { project_id: 'project_id', vpc_subnet_id: 'subnet_id' },
    detail: sql<string>`its.ipv4`,
  },
  interfaces: 'probe',
  addresses: {
    table: 'probe',
    words: 'external IP addresses',
    inSilo: (siloId) => sql`its.project_id in (select id from project where silo_id = ${siloId})`,
    listed: {
      columns: {
        ip: sql`its.ip`,
        kind: sql`'probe'`,
        first_port: sql`0`,
        last_port: sql`65535`,
        instance_id: sql`null`,
        instance_name: sql`null`,
        project_name: sql`project.name`,
        silo_name: sql`silo.name`,
      },
      from: sql`probe as its
      join project on project.id = its.project_id
      join silo on silo.id = project.silo_id`,
      names: ['its.name', 'project.name', 'silo.name'],
    },
  },
}
