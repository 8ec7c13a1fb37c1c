import type { Kind } from '../../kinds/kind.ts'

/** The whole installation, of which there is exactly one. */
export const fleet = {
  resource: 'fleet',
  access: {
    scope: 'fleet',
    read: ['fleet.viewer'],
    list: ['fleet.viewer'],
    create: ['fleet.collaborator'],
    modify: ['fleet.admin'],
  },
  reads: [
    'networking_inbound_icmp_view',
    'system_networking_settings_view',
    'image_catalog_view',
    'current_prices_view',
  ],
} as const satisfies Kind
