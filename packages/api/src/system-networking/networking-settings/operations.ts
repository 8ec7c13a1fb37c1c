import type { Operation } from '../../operation.ts'
import {
  ServiceIcmpConfig,
  SystemNetworkingSettings,
  SystemNetworkingSettingsUpdate,
} from './schemas.ts'

const tags = ['system/networking']
const base = '/v1/system/networking'
const read = { fleet: 'read' } as const
const modify = { permission: { fleet: 'modify' }, audited: { kind: 'fleet' } } as const

export const networkingSettingsOperations = {
  networking_inbound_icmp_view: {
    method: 'GET',
    path: `${base}/inbound-icmp`,
    tags,
    summary: 'Show whether services of the rack answer ICMP from outside',
    permission: read,
    success: { status: 200, schema: ServiceIcmpConfig },
  },
  networking_inbound_icmp_update: {
    method: 'PUT',
    path: `${base}/inbound-icmp`,
    tags,
    summary: 'Set whether services of the rack answer ICMP from outside',
    ...modify,
    body: ServiceIcmpConfig,
    versioned: 'inbound_icmp',
    success: { status: 204 },
  },
  system_networking_settings_view: {
    method: 'GET',
    path: `${base}/settings`,
    tags,
    summary: 'Show the networking settings',
    permission: read,
    success: { status: 200, schema: SystemNetworkingSettings },
  },
  system_networking_settings_update: {
    method: 'PUT',
    path: `${base}/settings`,
    tags,
    summary: 'Change the networking settings',
    ...modify,
    body: SystemNetworkingSettingsUpdate,
    versioned: 'networking_settings',
    success: { status: 200, schema: SystemNetworkingSettings },
  },
} as const satisfies Record<string, Operation>
