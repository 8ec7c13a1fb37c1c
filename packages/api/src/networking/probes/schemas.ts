import { PoolSelector } from '../ip-pools/schemas.ts'
import { ip } from '../../network.ts'
import { NetworkInterface } from '../network-interfaces/any-schemas.ts'
import {
  identity,
  identityCreate,
  list,
  Name,
  named,
  oneOf,
  record,
  uint16,
  uuid,
} from '../../schema.ts'

export const ProbeCreate = record('ProbeCreate', {
  ...identityCreate,
  sled: uuid,
  pool_selector: PoolSelector.default({ type: 'auto', ip_version: null }),
})

/** Answer of the call that creates a probe. */
export const Probe = record('Probe', { ...identity, sled: uuid })

const ProbeExternalIp = record('ProbeExternalIp', {
  ip,
  first_port: uint16,
  last_port: uint16,
  kind: named('ProbeExternalIpKind', oneOf('snat', 'floating', 'ephemeral')),
})

const network = {
  sled: uuid,
  external_ips: list(ProbeExternalIp),
  interface: NetworkInterface,
}
export const ProbeInfo = record('ProbeInfo', { id: uuid, name: Name, ...network })

/** A probe in a searched list, with the fields that the contract returns only on creation. */
export const ListedProbe = record('ListedProbe', { ...identity, ...network })
