import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export type ProbeRow = Row<'probe'>

/** The parts of a VPC and subnet that the interface of a probe shows. */
interface ProbeNetwork {
  vni: number
  ipv4_block: string
  ipv6_block: string
}

export const toWireNewProbe = (row: ProbeRow): Wire.Probe => ({
  ...identityOf(row),
  sled: row.sled_id,
})

const toWireProbe = (
  row: ProbeRow,
  { vni, ipv4_block, ipv6_block }: ProbeNetwork,
): Wire.ProbeInfo => ({
  id: row.id,
  name: row.name,
  sled: row.sled_id,
  external_ips: [{ ip: row.ip, first_port: 0, last_port: 65535, kind: 'ephemeral' }],
  interface: {
    id: row.interface_id,
    name: row.name,
    kind: { type: 'probe', id: row.id },
    ip_config: {
      type: 'dual_stack',
      value: {
        v4: { ip: row.ipv4, subnet: ipv4_block, transit_ips: [] },
        v6: { ip: row.ipv6, subnet: ipv6_block, transit_ips: [] },
      },
    },
    mac: row.mac,
    vni,
    primary: true,
    slot: 0,
  },
})

/** Subnet → the parts shown with the interfaces in it. */
async function networksOf(db: Db, rows: readonly ProbeRow[]): Promise<Map<string, ProbeNetwork>> {
  if (rows.length === 0) return new Map()
  const networks = await db
    .selectFrom('vpc_subnet as subnet')
    .innerJoin('vpc', 'vpc.id', 'subnet.vpc_id')
    .select(['subnet.id', 'vpc.vni', 'subnet.ipv4_block', 'subnet.ipv6_block'])
    .where('subnet.id', 'in', [...new Set(rows.map(({ subnet_id }) => subnet_id))])
    .execute()
  return new Map(networks.map(({ id, ...network }) => [id, network]))
}

export async function toWireProbes(db: Db, rows: readonly ProbeRow[]): Promise<Wire.ProbeInfo[]> {
  const networks = await networksOf(db, rows)
  return rows.map((row) => toWireProbe(row, networks.get(row.subnet_id)!))
}

export async function toWireListedProbes(
  db: Db,
  rows: readonly ProbeRow[],
): Promise<Wire.ListedProbe[]> {
  const answers = await toWireProbes(db, rows)
  return answers.map((answer, index) => ({ ...toWireNewProbe(rows[index]!), ...answer }))
}
