import type { SwitchPortSettings, SwitchPortSettingsDetails } from '@steading/api/client'
import { portSettingsUses } from '@steading/api/rules'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { withPlainFallback } from '../../data/capabilities.ts'

export const portSettingsListDefinition: ListDefinition<'networkingSwitchPortSettingsList'> = {
  kind: 'switch_port_settings',
  id: 'port-settings',
  operation: 'networkingSwitchPortSettingsList',
  filters: { use: portSettingsUses },
}

export const allPortSettingsQuery = apiQuery('networkingSwitchPortSettingsList', {
  query: { limit: ALL_ITEMS },
})

const grouped = <Part extends { interfaceName: string }, View>(
  parts: readonly Part[],
  view: (part: Part) => View,
) =>
  [...Map.groupBy(parts, ({ interfaceName }) => interfaceName)].map(([linkName, its]) => ({
    linkName,
    its: its.map(view),
  }))

/**
 * Builds details from the standard view of settings. The view lacks the link of a peer, which is
 * known only if there is a single link; otherwise the form asks for it.
 */
function detailsOf(settings: SwitchPortSettings): SwitchPortSettingsDetails {
  const { port, links, interfaces, addresses, routes, bgpPeers, groups: _, ...identity } = settings
  const peersLink = links.length === 1 ? links[0]!.linkName : ''
  return {
    ...identity,
    portConfig: { geometry: port.geometry },
    links: links.map(({ portSettingsId: _id, lldpLinkConfig, txEqConfig, ...link }) => ({
      ...link,
      lldp: lldpLinkConfig ?? { enabled: false },
      txEq: txEqConfig,
    })),
    interfaces: interfaces.map(({ interfaceName, kind, v6Enabled }) => ({
      linkName: interfaceName,
      kind,
      v6Enabled,
    })),
    addresses: grouped(addresses, ({ address, addressLotName, vlanId }) => ({
      address,
      addressLot: addressLotName,
      vlanId,
    })).map(({ linkName, its }) => ({ linkName, addresses: its })),
    routes: grouped(routes, ({ dst, gw, vlanId, ribPriority }) => ({
      dst,
      gw,
      vid: vlanId,
      ribPriority,
    })).map(({ linkName, its }) => ({ linkName, routes: its })),
    bgpPeers: bgpPeers.length > 0 ? [{ linkName: peersLink, peers: bgpPeers }] : [],
    ports: [],
  }
}

export function detailsQuery(port: string) {
  const plain = apiQuery('networkingSwitchPortSettingsView', { path: { port } })
  return withPlainFallback(
    'lists',
    apiQuery('networkingSwitchPortSettingsDetails', { path: { port } }),
    {
      ...plain,
      queryFn: async () => detailsOf(await plain.queryFn()),
    },
  )
}
