import { kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { storeTable } from '../../kernel/db/tables.ts'
import type { ExternalIpTable } from './table.ts'
import { storeKind } from '../../kernel/kinds.ts'
import { holdAddresses } from '../ip-pools/holders.ts'
import { listFreeSnat } from './allocate.ts'
import './deletion.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    external_ip: ExternalIpTable
  }
}

storeTable('external_ip', {
  within: { ip_pool_id: 'ip_pool', project_id: 'project', instance_id: 'instance' },
  names: { external_ip_name: kinds.floating_ip.type },
})

// A deleted address has no row.
storeKind('external_ip', { table: 'external_ip', live: '1 = 1' })

holdAddresses({
  table: 'external_ip',
  words: 'external IP addresses',
  inSilo: (siloId) => sql`its.project_id in (select id from project where silo_id = ${siloId})`,
  opened: listFreeSnat,
})
