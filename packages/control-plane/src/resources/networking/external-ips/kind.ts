import { kinds, deletionSentences } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'
import { listFreeSnat } from './allocate.ts'
import { restoreAddress } from './restore.ts'

export interface ExternalIpTable {
  id: string
  kind: 'snat' | 'ephemeral' | 'floating'
  ip: string
  /** Fixed-width hex, so that text order is address order. */
  ip_key: string
  ip_pool_id: string
  project_id: string
  instance_id: string | null
  first_port: number
  last_port: number
  /** Floating addresses only. */
  name: string | null
  name_key: string | null
  description: string | null
  time_created: string
  time_modified: string
}

/** Unused blocks of ports, of addresses with other blocks in use. */
export interface FreeSnatTable {
  ip_pool_id: string
  ip_key: string
  first_port: number
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    external_ip: ExternalIpTable
    free_snat: FreeSnatTable
  }
}

/** A row of an external address; all kinds are in one table. */
export const toWireFloatingIp = (row: Row<'external_ip'>): Wire.FloatingIp => ({
  id: row.id,
  // Floating addresses always have a name and a description.
  name: row.name!,
  description: row.description!,
  ...pick(row, 'time_created', 'time_modified', 'ip', 'ip_pool_id', 'project_id', 'instance_id'),
})

export function toWireExternalIp(row: Row<'external_ip'>): Wire.ExternalIp {
  const address = { ip: row.ip, ip_pool_id: row.ip_pool_id }
  switch (row.kind) {
    case 'snat':
      return { kind: 'snat', ...address, first_port: row.first_port, last_port: row.last_port }
    case 'ephemeral':
      return { kind: 'ephemeral', ...address }
    case 'floating':
      return { kind: 'floating', ...toWireFloatingIp(row) }
  }
}

// A deleted address has no row.
export const external_ip: StoredKind<'external_ip'> = {
  tables: {
    external_ip: {
      // A floating one is a resource.
      noun: 'address',
      within: { ip_pool_id: 'ip_pool', project_id: 'project', instance_id: 'instance' },
      names: { external_ip_name: kinds.floating_ip.type },
    },
  },
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
