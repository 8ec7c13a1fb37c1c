import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { listFreeSnat } from './allocate.ts'
import { restoreAddress } from './restore.ts'
import { externalIpTables } from './table.ts'

// A deleted address has no row.
export const external_ip: StoredKind<'external_ip'> = {
  tables: externalIpTables,
  live: '1 = 1',
  metered: {
    amounts: { ephemeral_ip: '1' },
    while: "its.kind = 'ephemeral'",
    name: 'its.ip',
    since: 'its.time_created',
  },
  restoredRows: { external_ip: restoreAddress },
  addresses: {
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
  },
  relations: [
    {
      owner: 'instance',
      kind: 'ephemeral_ip',
      relation: 'goes',
      pairs: sql`select id, instance_id as owner_id from external_ip where kind = 'ephemeral'`,
      reason: deletionSentences.ephemeral_ip,
      name: 'its.ip',
    },
  ],
}
