import {
  createAnnounceSet,
  createBgpConfig,
  createLot,
  freePort,
  placeOf,
  portSettings,
  freshAsn,
  freshNetwork,
} from '../uplinks.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, server } from './world.ts'

const freshLot = async () => {
  const network = freshNetwork()
  return { network, ...(await createLot(server.admin, network)) }
}
const aboutLot = async () => ({ params: { address_lot: (await freshLot()).lot.name } })
const aboutConfig = async () => ({
  query: { name_or_id: (await createBgpConfig(server.admin)).config.name },
})
const aboutSet = async () => ({
  params: { announce_set: (await createAnnounceSet(server.admin)).set.name },
})
const loopback = async () => {
  const { network, lot } = await freshLot()
  const { items } = await server.admin.call('rack_list')
  const rack_id = items[0]!.id
  const place = { rack_id, switch_slot: 'switch0' as const, address: network.at(1) }
  return { ...place, mask: 32, address_lot: lot.name, anycast: false }
}
let router = 0
const session = () => ({
  remote: `192.0.2.${++router % 256}`,
  detection_threshold: 3,
  required_rx: 300_000,
  switch_slot: `switch${(router >> 8) % 2}` as 'switch0',
  mode: 'multi_hop' as const,
})
const createSettings = () =>
  server.admin.call('networking_switch_port_settings_create', { body: portSettings() })
const aboutSettings = async () => ({ params: { port: (await createSettings()).name } })
const port = () => freePort(server.admin)
const aboutPort = async () => placeOf(await port())
/** A port with settings, which the next probe removes. */
const configured = async () => {
  const place = await aboutPort()
  const { name: port_settings } = await createSettings()
  await server.admin.call('networking_switch_port_apply_settings', {
    ...place,
    body: { port_settings },
  })
  return place
}
const withLldp = async () => {
  const { items } = await server.admin.call('networking_switch_port_search', {
    query: { configured: 'yes', limit: 1 },
  })
  return items[0] ? placeOf(items[0]) : configured()
}
const asn = () => ({ query: { asn: 65_000 } })

export const uplinksProbes = {
  networking_address_lot_list: plain,
  networking_address_lot_search: plain,
  networking_address_lot_create: {
    args: () => ({ body: { name: fresh(), description: '', kind: 'infra', blocks: [] } }),
  },
  networking_address_lot_view: { args: aboutLot },
  networking_address_lot_delete: { args: aboutLot },
  networking_address_lot_block_list: { args: aboutLot },
  networking_address_lot_use_list: { args: aboutLot },
  networking_loopback_address_list: plain,
  networking_loopback_address_detail_list: plain,
  networking_loopback_address_create: {
    args: async () => ({ body: await loopback() }),
    about: ['loopback_address'],
    bodyNames: true,
  },
  networking_loopback_address_delete: {
    async args() {
      const body = await loopback()
      await server.admin.call('networking_loopback_address_create', { body })
      const { rack_id, switch_slot, address, mask: subnet_mask } = body
      return { params: { rack_id, switch_slot, address, subnet_mask } }
    },
  },
  networking_bgp_config_list: plain,
  networking_bgp_config_search: plain,
  networking_bgp_config_create: {
    args: async () => {
      const { set } = await createAnnounceSet(server.admin)
      const body = { name: fresh(), description: '', asn: freshAsn() }
      return { body: { ...body, bgp_announce_set_id: set.name } }
    },
    about: ['bgp_config'],
    bodyNames: true,
  },
  networking_bgp_config_view: {
    args: async () => ({
      params: { bgp_config: (await createBgpConfig(server.admin)).config.name },
    }),
  },
  networking_bgp_config_update: {
    args: async () => ({ ...(await aboutConfig()), body: {} }),
    about: ['bgp_config'],
  },
  networking_bgp_config_delete: { args: aboutConfig },
  networking_bgp_announce_set_list: plain,
  networking_bgp_announce_set_search: plain,
  networking_bgp_announce_set_view: { args: aboutSet },
  networking_bgp_announce_set_update: {
    args: async () => {
      const { network, lot } = await freshLot()
      const announcement = [{ address_lot_block: lot.id, network: network.cidr }]
      return { body: { name: fresh(), description: '', announcement } }
    },
    about: ['bgp_announce_set'],
    bodyNames: true,
  },
  networking_bgp_announce_set_delete: { args: aboutSet },
  networking_bgp_announcement_list: { args: aboutSet },
  networking_bgp_status: plain,
  networking_bgp_exported: plain,
  networking_bgp_imported: { args: asn },
  networking_bgp_imported_routes_ipv4: { args: asn },
  networking_bgp_message_history: { args: asn },
  networking_bfd_enable: { args: () => ({ body: session() }) },
  networking_bfd_disable: {
    async args() {
      const body = session()
      await server.admin.call('networking_bfd_enable', { body })
      return { body: { remote: body.remote, switch_slot: body.switch_slot } }
    },
  },
  networking_bfd_status: plain,
  networking_inbound_icmp_view: plain,
  networking_inbound_icmp_update: { args: () => ({ body: { enabled: true } }) },
  system_networking_settings_view: plain,
  system_networking_settings_update: {
    args: () => ({ body: { external_jumbo_frames_opt_in_enabled: false } }),
  },
  networking_allow_list_view: plain,
  networking_allow_list_update: { args: () => ({ body: { allowed_ips: { allow: 'any' } } }) },
  networking_switch_port_list: plain,
  networking_switch_port_search: plain,
  networking_switch_port_view: {
    args: async () => ({ params: { switch_port: (await port()).id } }),
  },
  networking_switch_port_status: { args: aboutPort },
  networking_switch_port_apply_settings: {
    async args() {
      const place = await withLldp()
      return { ...place, body: { port_settings: (await createSettings()).name } }
    },
    about: ['switch_port'],
    bodyNames: true,
  },
  networking_switch_port_clear_settings: { args: withLldp },
  networking_switch_port_lldp_config_view: { args: withLldp },
  networking_switch_port_lldp_config_update: {
    async args() {
      const place = await withLldp()
      const { id } = await server.admin.call('networking_switch_port_lldp_config_view', place)
      return { ...place, body: { id, enabled: true } }
    },
  },
  networking_switch_port_lldp_neighbors: {
    args: async () => {
      const { rack_id, switch_slot, port_name } = await port()
      return { params: { rack_id, switch_slot, port: port_name } }
    },
  },
  networking_switch_port_settings_list: plain,
  networking_switch_port_settings_search: plain,
  networking_switch_port_settings_create: {
    args: () => ({ body: portSettings() }),
    about: ['switch_port_settings'],
  },
  networking_switch_port_settings_view: { args: aboutSettings },
  networking_switch_port_settings_details: { args: aboutSettings },
  networking_switch_port_settings_delete: {
    args: async () => ({ query: { port_settings: (await createSettings()).name } }),
  },
} satisfies Partial<Probes>
