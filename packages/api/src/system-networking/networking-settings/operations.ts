import { boolean, record } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const ServiceIcmpConfig = record('ServiceIcmpConfig', { enabled: boolean })
const SystemNetworkingSettings = record('SystemNetworkingSettings', {
  external_jumbo_frames_opt_in_enabled: boolean,
})
const SystemNetworkingSettingsUpdate = record('SystemNetworkingSettingsUpdate', {
  external_jumbo_frames_opt_in_enabled: boolean.default(false),
})

const modify = { permission: { fleet: 'modify' }, audited: { kind: 'fleet' } } as const

export const networkingSettingsOperations = {
  ...usual('fleet', {
    item: ServiceIcmpConfig,
    id: 'networking_inbound_icmp',
    path: '/v1/system/networking/inbound-icmp',
  })({
    networking_inbound_icmp_view: {
      summary: 'Show whether services of the rack answer ICMP from outside',
    },
    networking_inbound_icmp_update: {
      summary: 'Set whether services of the rack answer ICMP from outside',
      ...modify,
      body: ServiceIcmpConfig,
      versioned: 'inbound_icmp',
      success: { status: 204 },
    },
  }),
  ...usual('fleet', {
    item: SystemNetworkingSettings,
    id: 'system_networking_settings',
    path: '/v1/system/networking/settings',
  })({
    system_networking_settings_view: { summary: 'Show the networking settings' },
    system_networking_settings_update: {
      summary: 'Change the networking settings',
      ...modify,
      body: SystemNetworkingSettingsUpdate,
      versioned: 'networking_settings',
    },
  }),
}
