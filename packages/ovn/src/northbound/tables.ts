/** Columns of OVN's northbound database. Written by scripts/northbound.ts. */
import type { Tables } from '../ovsdb/replica.ts'

export const northboundTables = {
  NB_Global: {
    nb_cfg: {
      type: 'integer',
      holds: 'one',
    },
    sb_cfg: {
      type: 'integer',
      holds: 'one',
    },
    hv_cfg: {
      type: 'integer',
      holds: 'one',
    },
    options: {
      type: 'string',
      holds: 'map',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Logical_Switch: {
    name: {
      type: 'string',
      holds: 'one',
    },
    ports: {
      type: 'uuid',
      holds: 'set',
      to: 'Logical_Switch_Port',
    },
    dns_records: {
      type: 'uuid',
      holds: 'set',
      to: 'DNS',
    },
    other_config: {
      type: 'string',
      holds: 'map',
    },
    acls: {
      type: 'uuid',
      holds: 'set',
      to: 'ACL',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Logical_Switch_Port: {
    name: {
      type: 'string',
      holds: 'one',
    },
    type: {
      type: 'string',
      holds: 'one',
    },
    addresses: {
      type: 'string',
      holds: 'set',
    },
    port_security: {
      type: 'string',
      holds: 'set',
    },
    options: {
      type: 'string',
      holds: 'map',
    },
    tag: {
      type: 'integer',
      holds: 'optional',
    },
    enabled: {
      type: 'boolean',
      holds: 'optional',
    },
    dhcpv4_options: {
      type: 'uuid',
      holds: 'optional',
      to: 'DHCP_Options',
    },
    dhcpv6_options: {
      type: 'uuid',
      holds: 'optional',
      to: 'DHCP_Options',
    },
    up: {
      type: 'boolean',
      holds: 'optional',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Logical_Router: {
    name: {
      type: 'string',
      holds: 'one',
    },
    ports: {
      type: 'uuid',
      holds: 'set',
      to: 'Logical_Router_Port',
    },
    static_routes: {
      type: 'uuid',
      holds: 'set',
      to: 'Logical_Router_Static_Route',
    },
    policies: {
      type: 'uuid',
      holds: 'set',
      to: 'Logical_Router_Policy',
    },
    nat: {
      type: 'uuid',
      holds: 'set',
      to: 'NAT',
    },
    options: {
      type: 'string',
      holds: 'map',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Logical_Router_Port: {
    name: {
      type: 'string',
      holds: 'one',
    },
    mac: {
      type: 'string',
      holds: 'one',
    },
    networks: {
      type: 'string',
      holds: 'set',
    },
    options: {
      type: 'string',
      holds: 'map',
    },
    ipv6_ra_configs: {
      type: 'string',
      holds: 'map',
    },
    gateway_chassis: {
      type: 'uuid',
      holds: 'set',
      to: 'Gateway_Chassis',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Gateway_Chassis: {
    name: {
      type: 'string',
      holds: 'one',
    },
    chassis_name: {
      type: 'string',
      holds: 'one',
    },
    priority: {
      type: 'integer',
      holds: 'one',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Logical_Router_Static_Route: {
    ip_prefix: {
      type: 'string',
      holds: 'one',
    },
    nexthop: {
      type: 'string',
      holds: 'one',
    },
    output_port: {
      type: 'string',
      holds: 'optional',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Logical_Router_Policy: {
    priority: {
      type: 'integer',
      holds: 'one',
    },
    match: {
      type: 'string',
      holds: 'one',
    },
    action: {
      type: 'string',
      holds: 'one',
    },
    nexthops: {
      type: 'string',
      holds: 'set',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  NAT: {
    type: {
      type: 'string',
      holds: 'one',
    },
    external_ip: {
      type: 'string',
      holds: 'one',
    },
    logical_ip: {
      type: 'string',
      holds: 'one',
    },
    external_port_range: {
      type: 'string',
      holds: 'one',
    },
    gateway_port: {
      type: 'uuid',
      holds: 'optional',
      to: 'Logical_Router_Port',
    },
    options: {
      type: 'string',
      holds: 'map',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  DHCP_Options: {
    cidr: {
      type: 'string',
      holds: 'one',
    },
    options: {
      type: 'string',
      holds: 'map',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  DNS: {
    records: {
      type: 'string',
      holds: 'map',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Address_Set: {
    name: {
      type: 'string',
      holds: 'one',
    },
    addresses: {
      type: 'string',
      holds: 'set',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Port_Group: {
    name: {
      type: 'string',
      holds: 'one',
    },
    ports: {
      type: 'uuid',
      holds: 'set',
      to: 'Logical_Switch_Port',
    },
    acls: {
      type: 'uuid',
      holds: 'set',
      to: 'ACL',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  ACL: {
    name: {
      type: 'string',
      holds: 'optional',
    },
    direction: {
      type: 'string',
      holds: 'one',
    },
    priority: {
      type: 'integer',
      holds: 'one',
    },
    match: {
      type: 'string',
      holds: 'one',
    },
    action: {
      type: 'string',
      holds: 'one',
    },
    log: {
      type: 'boolean',
      holds: 'one',
    },
    meter: {
      type: 'string',
      holds: 'optional',
    },
    severity: {
      type: 'string',
      holds: 'optional',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Meter: {
    name: {
      type: 'string',
      holds: 'one',
    },
    unit: {
      type: 'string',
      holds: 'one',
    },
    bands: {
      type: 'uuid',
      holds: 'set',
      to: 'Meter_Band',
    },
    fair: {
      type: 'boolean',
      holds: 'optional',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
  Meter_Band: {
    action: {
      type: 'string',
      holds: 'one',
    },
    rate: {
      type: 'integer',
      holds: 'one',
    },
    burst_size: {
      type: 'integer',
      holds: 'one',
    },
    external_ids: {
      type: 'string',
      holds: 'map',
    },
  },
} as const satisfies Tables

export type NorthboundTable = keyof typeof northboundTables

/** Tables whose rows stay until they are deleted; those of others go when nothing refers to them. */
export const rootTables: readonly NorthboundTable[] = [
  'NB_Global',
  'Logical_Switch',
  'Logical_Router',
  'DHCP_Options',
  'DNS',
  'Address_Set',
  'Port_Group',
  'Meter',
]
