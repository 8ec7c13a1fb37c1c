import type { Wire } from '@steading/api'
import { formatAddress, formatNetwork, parseAddress, parseNetwork } from '@steading/api/rules'

const address = (text: string): string => formatAddress(parseAddress(text)!)
const network = (text: string): string => formatNetwork(parseNetwork(text)!)
const orNull = (text: string | null | undefined): string | null => (text ? address(text) : null)

const policy = (one: Wire.ImportExportPolicy): Wire.ImportExportPolicy =>
  one.type === 'allow' ? { ...one, value: one.value.map(network) } : one

const peer = (one: Wire.BgpPeer): Wire.BgpPeer => ({
  ...one,
  addr:
    one.addr.type === 'numbered'
      ? {
          ...one.addr,
          target_addr: address(one.addr.target_addr),
          src_addr: orNull(one.addr.src_addr),
        }
      : one.addr,
  allowed_export: policy(one.allowed_export),
  allowed_import: policy(one.allowed_import),
})

/** A document with all addresses in canonical spelling, so that they can be compared. */
export const canonicalDocument = (
  body: Wire.SwitchPortSettingsCreate,
): Wire.SwitchPortSettingsCreate => ({
  ...body,
  links: body.links.map((link) => ({
    ...link,
    lldp: { ...link.lldp, management_ip: orNull(link.lldp.management_ip) },
  })),
  addresses: body.addresses.map((of) => ({
    ...of,
    addresses: of.addresses.map((one) => ({ ...one, address: network(one.address) })),
  })),
  routes: body.routes.map((of) => ({
    ...of,
    routes: of.routes.map((route) => ({
      ...route,
      dst: network(route.dst),
      gw: address(route.gw),
    })),
  })),
  bgp_peers: body.bgp_peers.map((of) => ({ ...of, peers: of.peers.map(peer) })),
})
