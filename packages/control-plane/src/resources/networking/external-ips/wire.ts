import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

/** A row of an external address; all kinds are in one table. */
export type ExternalIpRow = Row<'external_ip'>

export const toWireFloatingIp = (row: ExternalIpRow): Wire.FloatingIp => ({
  id: row.id,
  // Floating addresses always have a name and a description.
  name: row.name!,
  description: row.description!,
  time_created: row.time_created,
  time_modified: row.time_modified,
  ip: row.ip,
  ip_pool_id: row.ip_pool_id,
  project_id: row.project_id,
  instance_id: row.instance_id,
})

export function toWireExternalIp(row: ExternalIpRow): Wire.ExternalIp {
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
