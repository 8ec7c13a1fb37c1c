import type { tables } from '@steading/api'
import { ipVersion, uplinkMessages } from '@steading/api/rules'
import { enginePart } from '../../../kernel/engine-parts.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { each } from '../../../kernel/search/search.ts'
import type { Work } from '../../../kernel/work.ts'
import { answered } from '../uplink-hosts/answered.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import {
  deleteSet,
  announcementsOf,
  putSet,
  setDetails,
  toWireSet,
  desiredAnnouncements,
} from './announcements.ts'
import { configDetails, createConfig, deleteConfig, updateConfig, toWireConfig } from './configs.ts'
import { configuredPeers } from './peers.ts'

const importedRoutes = async ({
  db,
  services,
  query: { asn },
}: Pick<Work, 'db' | 'services'> & { query: { asn: number } }) =>
  answered(enginePart(services, 'uplinks').imported(await configuredPeers(db, asn)))

const configs = usualHandlers('bgp_config', each(toWireConfig))
const sets = usualHandlers('bgp_announce_set', each(toWireSet), 'announce_set')

export const bgpHandlers: Handlers<typeof tables.bgpOperations> = {
  networking_bgp_config_list: configs.list,
  networking_bgp_config_search: configs.search,
  networking_bgp_announce_set_search: sets.search,
  networking_bgp_announce_set_delete: sets.delete(deleteSet),

  async networking_bgp_config_create(ctx) {
    authorize(ctx, 'bgp_config', {})
    const announced = await lookup(ctx, 'bgp_announce_set', ctx.body.bgp_announce_set_id)
    return toWireConfig(await createConfig(ctx, announced, ctx.body))
  },

  async networking_bgp_config_view(ctx) {
    const config = await configs.find(ctx)
    const [details] = await configDetails(ctx.db, [config])
    return details!
  },

  async networking_bgp_config_update(ctx) {
    const config = await lookup(ctx, 'bgp_config', ctx.query.name_or_id)
    const selector = ctx.body.bgp_announce_set_id
    const announced = selector ? await lookup(ctx, 'bgp_announce_set', selector) : undefined
    return toWireConfig(await updateConfig(ctx, config, announced, ctx.body))
  },

  async networking_bgp_config_delete(ctx) {
    await deleteConfig(ctx, await lookup(ctx, 'bgp_config', ctx.query.name_or_id))
  },

  networking_bgp_announce_set_list: async (ctx) => (await sets.list(ctx)).items,
  networking_bgp_announce_set_view: async (ctx) => setDetails(ctx.db, await sets.find(ctx)),

  async networking_bgp_announce_set_update(ctx) {
    authorize(ctx, 'bgp_announce_set', {})
    const announcements = await desiredAnnouncements(ctx, ctx.body.announcement)
    return toWireSet(await putSet(ctx, ctx.body, announcements))
  },

  async networking_bgp_announcement_list(ctx) {
    const { id } = await sets.find(ctx)
    const announced = (await announcementsOf(ctx.db, [id])).get(id) ?? []
    return announced.map(({ announce_set_id, address_lot_block_id, network }) => ({
      announce_set_id,
      address_lot_block_id,
      network,
    }))
  },

  async networking_bgp_status(ctx) {
    authorize(ctx, 'bgp_config', {})
    const uplinks = enginePart(ctx.services, 'uplinks')
    const peers = await answered(uplinks.peers(await configuredPeers(ctx.db)))
    return peers.map(({ peer, address, remoteAsn, state, since }) => ({
      addr: address,
      local_asn: peer.localAsn,
      peer_id: peer.id,
      remote_asn: remoteAsn,
      state,
      state_duration_millis: Math.max(0, ctx.now.getTime() - since.getTime()),
      switch: peer.switch,
    }))
  },

  async networking_bgp_exported(ctx) {
    authorize(ctx, 'bgp_config', {})
    const uplinks = enginePart(ctx.services, 'uplinks')
    const routes = await answered(uplinks.exported(await configuredPeers(ctx.db)))
    return routes.map(({ peer, prefix }) => ({ peer_id: peer.id, prefix, switch: peer.switch }))
  },

  async networking_bgp_imported(ctx) {
    authorize(ctx, 'bgp_config', {})
    const routes = await importedRoutes(ctx)
    return routes.map(({ peer, id, nexthop, prefix }) => ({
      id,
      nexthop,
      prefix,
      switch: peer.switch,
    }))
  },

  async networking_bgp_imported_routes_ipv4(ctx) {
    authorize(ctx, 'bgp_config', {})
    const routes = await importedRoutes(ctx)
    return routes
      .filter(({ nexthop, prefix }) => ipVersion(nexthop) === 'v4' && !prefix.includes(':'))
      .map(({ peer, id, nexthop, prefix }) => ({ id, nexthop, prefix, switch: peer.switch }))
  },

  async networking_bgp_message_history(ctx) {
    authorize(ctx, 'bgp_config', {})
    const { messages } = enginePart(ctx.services, 'uplinks')
    if (!messages) throw fail.notImplemented(uplinkMessages.noMessages)
    const logs = await messages(await configuredPeers(ctx.db, ctx.query.asn))
    const bySwitch = Map.groupBy(logs, ({ peer }) => peer.switch)
    return {
      switch_histories: [...bySwitch].map(([slot, its]) => ({
        switch: slot,
        history: Object.fromEntries(
          its.map(({ peer, sent, received }) => [peer.id, { sent, received }]),
        ),
      })),
    }
  },
}
