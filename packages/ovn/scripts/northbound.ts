/**
 * Writes the columns of OVN's northbound database that this package uses, from the schema of an
 * installation: `node packages/ovn/scripts/northbound.ts /usr/share/ovn/ovn-nb.ovsschema`.
 */
import { readFileSync, writeFileSync } from 'node:fs'

/** The columns in use, by table. */
const used: Record<string, string[]> = {
  NB_Global: ['nb_cfg', 'sb_cfg', 'hv_cfg', 'options', 'external_ids'],
  Logical_Switch: ['name', 'ports', 'dns_records', 'other_config', 'acls', 'external_ids'],
  Logical_Switch_Port: [
    'name',
    'type',
    'addresses',
    'port_security',
    'options',
    'tag',
    'enabled',
    'dhcpv4_options',
    'dhcpv6_options',
    'up',
    'external_ids',
  ],
  Logical_Router: ['name', 'ports', 'static_routes', 'policies', 'nat', 'options', 'external_ids'],
  Logical_Router_Port: [
    'name',
    'mac',
    'networks',
    'options',
    'ipv6_ra_configs',
    'gateway_chassis',
    'external_ids',
  ],
  Gateway_Chassis: ['name', 'chassis_name', 'priority', 'external_ids'],
  Logical_Router_Static_Route: ['ip_prefix', 'nexthop', 'output_port', 'external_ids'],
  Logical_Router_Policy: ['priority', 'match', 'action', 'nexthops', 'external_ids'],
  NAT: [
    'type',
    'external_ip',
    'logical_ip',
    'external_port_range',
    'gateway_port',
    'options',
    'external_ids',
  ],
  DHCP_Options: ['cidr', 'options', 'external_ids'],
  DNS: ['records', 'external_ids'],
  Address_Set: ['name', 'addresses', 'external_ids'],
  Port_Group: ['name', 'ports', 'acls', 'external_ids'],
  ACL: [
    'name',
    'direction',
    'priority',
    'match',
    'action',
    'log',
    'meter',
    'severity',
    'external_ids',
  ],
  Meter: ['name', 'unit', 'bands', 'fair', 'external_ids'],
  Meter_Band: ['action', 'rate', 'burst_size', 'external_ids'],
}

interface Type {
  key: string | { type: string; refTable?: string }
  value?: unknown
  min?: number
  max?: number | 'unlimited'
}

interface Schema {
  tables: Record<
    string,
    { columns: Record<string, { type: string | Type }>; isRoot?: boolean; maxRows?: number }
  >
}

function columnOf(type: string | Type): object {
  if (typeof type === 'string') return { type, holds: 'one' }
  const { key, value, min = 1, max = 1 } = type
  const { type: atom, refTable } = typeof key === 'string' ? { type: key } : key
  const holds = value !== undefined ? 'map' : max !== 1 ? 'set' : min === 0 ? 'optional' : 'one'
  return { type: atom, holds, ...(refTable && { to: refTable }) }
}

const [path = '/usr/share/ovn/ovn-nb.ovsschema'] = process.argv.slice(2)
const schema = JSON.parse(readFileSync(path, 'utf8')) as Schema
const tables = Object.fromEntries(
  Object.entries(used).map(([table, columns]) => {
    const known = schema.tables[table]
    if (!known) throw new Error(`${path} has no table ${table}`)
    return [
      table,
      Object.fromEntries(
        columns.map((name) => {
          const column = known.columns[name]
          if (!column) throw new Error(`${path} has no column ${name} in ${table}`)
          return [name, columnOf(column.type)]
        }),
      ),
    ]
  }),
)
const roots = Object.keys(used).filter((table) => schema.tables[table]!.isRoot)
const target = new URL('../src/northbound/tables.ts', import.meta.url)
writeFileSync(
  target,
  `/** Columns of OVN's northbound database. Written by scripts/northbound.ts. */
import type { Tables } from '../ovsdb/replica.ts'

export const northboundTables = ${JSON.stringify(tables, null, 2)} as const satisfies Tables

export type NorthboundTable = keyof typeof northboundTables

/** Tables whose rows stay until they are deleted; those of others go when nothing refers to them. */
export const rootTables: readonly NorthboundTable[] = ${JSON.stringify(roots)}
`,
)
