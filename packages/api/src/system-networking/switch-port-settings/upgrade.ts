import { lastChangeOf, versionOfProperty } from '../../version-history.ts'
import { isJsonObject } from '../../describe-json.ts'
import { FORMER_FIELDS, type SchemaChange } from '../../versions.ts'

/**
 * Peers became a tagged union of numbered ones, with an address (`ip`), and unnumbered ones. Older
 * clients have an optional address, the router lifetime of unnumbered peers, and the name of the
 * link (`interface_name`) in each peer.
 */
const taggedPeers: SchemaChange = {
  until: versionOfProperty('BgpPeer', 'interface_name'),
  upgradeRequest(value) {
    if (!isJsonObject(value)) return value
    const { addr, router_lifetime, interface_name: _, ...peer } = value
    if (typeof addr === 'string') return { ...peer, addr: { type: 'numbered', ip: addr } }
    if (isJsonObject(addr) || router_lifetime === undefined) return value
    return { ...peer, addr: { type: 'unnumbered', router_lifetime } }
  },
  presentResponse(value) {
    if (!isJsonObject(value) || !isJsonObject(value.addr)) return value
    const { [FORMER_FIELDS]: former, addr, ...peer } = value as Record<string | symbol, unknown>
    const { type, ip, router_lifetime } = addr as Record<string, unknown>
    return type === 'numbered'
      ? { ...peer, ...Object(former), addr: ip, router_lifetime: 0 }
      : { ...peer, ...Object(former), addr: null, router_lifetime }
  },
}

/** Numbered peers gained a source, and their address became `target_addr`. */
const peerSources: SchemaChange = {
  until: lastChangeOf('RouterPeerType'),
  upgradeRequest(value) {
    if (!isJsonObject(value) || !isJsonObject(value.addr)) return value
    const { ip, ...addr } = value.addr
    return addr.type === 'numbered' && addr.target_addr === undefined && ip !== undefined
      ? { ...value, addr: { ...addr, target_addr: ip } }
      : value
  },
  presentResponse: (value) =>
    isJsonObject(value) && isJsonObject(value.addr) && value.addr.type === 'numbered'
      ? { ...value, addr: { type: 'numbered', ip: value.addr.target_addr } }
      : value,
}

/** Former spellings of BGP peers, oldest first. */
export const peerChanges = [taggedPeers, peerSources]

/** Older clients read the kind of an interface as a word, and the VLANs of interfaces in another list. */
export const vlanInterfacesChange: SchemaChange = {
  until: versionOfProperty('SwitchPortSettings', 'vlan_interfaces'),
  presentResponse(value) {
    if (!isJsonObject(value)) return value
    const interfaces = value.interfaces as { id: string; kind: { type: string; vid?: number } }[]
    return {
      ...value,
      interfaces: interfaces.map((one) => ({ ...one, kind: one.kind.type })),
      vlan_interfaces: interfaces
        .filter(({ kind }) => kind.type === 'vlan')
        .map(({ id, kind }) => ({ interface_config_id: id, vlan_id: kind.vid })),
    }
  },
}
