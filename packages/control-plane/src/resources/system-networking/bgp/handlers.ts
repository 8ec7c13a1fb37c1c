import type { tables } from '@steading/api'
import { FLEET_ID, ipVersion } from '@steading/api/rules'
import { enginePart } from '../../../kernel/engine-parts.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import {
  deleteSet,
  announcementsOf,
  putSet,
  setDetails,
  toWireSet,
  wantedAnnouncements,
} from './announcements.ts'
import { configDetails, createConfig, deleteConfig, updateConfig, toWireConfig } from './configs.ts'
import { configuredPeers } from './peers.ts'

export const bgpHandlers: Handlers<typeof tables.bgpOperations> = {
  async networking_bgp_config_list(ctx) {
    authorize(ctx, 'bgp_config', {})
    const rows = rowsOf(ctx.db, 'bgp_config').selectAll()
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireConfig)
  },

  async networking_bgp_config_search(ctx) {
    authorize(ctx, 'bgp_config', {})
    return searchList(ctx, 'bgp_config', FLEET_ID)
  },

  async networking_bgp_config_create(ctx) {
    authorize(ctx, 'bgp_config', {})
    const announced = await lookup(ctx, 'bgp_announce_set', ctx.body.bgp_announce_set_id)
    return toWireConfig(await createConfig(ctx, announced, ctx.body))
  },

  async networking_bgp_config_view(ctx) {
    const config = await lookup(ctx, 'bgp_config', ctx.params.bgp_config)
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

  async networking_bgp_announce_set_list(ctx) {
    authorize(ctx, 'bgp_announce_set', {})
    const rows = rowsOf(ctx.db, 'bgp_announce_set').selectAll()
    const { items } = await listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireSet)
    return items
  },

  async networking_bgp_announce_set_search(ctx) {
    authorize(ctx, 'bgp_announce_set', {})
    return searchList(ctx, 'bgp_announce_set', FLEET_ID)
  },

  async networking_bgp_announce_set_view(ctx) {
    return setDetails(ctx.db, await lookup(ctx, 'bgp_announce_set', ctx.params.announce_set))
  },

  async networking_bgp_announce_set_update(ctx) {
    authorize(ctx, 'bgp_announce_set', {})
    const announcements = await wantedAnnouncements(ctx, ctx.body.announcement)
    return toWireSet(await putSet(ctx, ctx.body, announcements))
  },

  async networking_bgp_announce_set_delete(ctx) {
    await deleteSet(ctx, await lookup(ctx, 'bgp_announce_set', ctx.params.announce_set))
  },

  async networking_bgp_announcement_list(ctx) {
    const { id } = await lookup(ctx, 'bgp_announce_set', ctx.params.announce_set)
    const announced = (await announcementsOf(ctx.db, [id])).get(id) ?? []
    return announced.map(({ announce_set_id, address_lot_block_id, network }) => ({
      announce_set_id,
      address_lot_block_id,
      network,
    }))
  },

  async networking_bgp_status(ctx) {
    authorize(ctx, 'bgp_config', {})
    const peers = await enginePart(ctx.services, 'uplinks').peers(await configuredPeers(ctx.db))
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
    const routes = await enginePart(ctx.services, 'uplinks').exported(await configuredPeers(ctx.db))
    return routes.map(({ peer, prefix }) => ({ peer_id: peer.id, prefix, switch: peer.switch }))
  },

  async networking_bgp_imported(ctx) {
    authorize(ctx, 'bgp_config', {})
    const routes = await enginePart(ctx.services, 'uplinks').imported(
      await configuredPeers(ctx.db, ctx.query.asn),
    )
    return routes.map(({ peer, id, nexthop, prefix }) => ({
      id,
      nexthop,
      prefix,
      switch: peer.switch,
    }))
  },

  async networking_bgp_imported_routes_ipv4(ctx) {
    authorize(ctx, 'bgp_config', {})
    const routes = await enginePart(ctx.services, 'uplinks').imported(
      await configuredPeers(ctx.db, ctx.query.asn),
    )
    return routes
      .filter(({ nexthop, prefix }) => ipVersion(nexthop) === 'v4' && !prefix.includes(':'))
      .map(({ peer, id, nexthop, prefix }) => ({ id, nexthop, prefix, switch: peer.switch }))
  },

  async networking_bgp_message_history(ctx) {
    authorize(ctx, 'bgp_config', {})
    const logs = await enginePart(ctx.services, 'uplinks').messages(
      await configuredPeers(ctx.db, ctx.query.asn),
    )
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
