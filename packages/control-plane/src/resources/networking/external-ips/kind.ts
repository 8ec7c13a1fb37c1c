import { kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { ExternalIpTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import { holdAddresses } from '../ip-pools/holders.ts'
import { listFreeSnat } from './allocate.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
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
  listed: {
    columns: {
      ip: sql`its.ip`,
      kind: sql`its.kind`,
      first_port: sql`its.first_port`,
      last_port: sql`its.last_port`,
      instance_id: sql`its.instance_id`,
      instance_name: sql`instance.name`,
      project_name: sql`project.name`,
      silo_name: sql`silo.name`,
    },
    from: sql`external_ip as its
      join project on project.id = its.project_id
      join silo on silo.id = project.silo_id
      left join instance on instance.id = its.instance_id`,
    names: ['its.name', 'instance.name', 'project.name', 'silo.name'],
  },
  opened: listFreeSnat,
})
