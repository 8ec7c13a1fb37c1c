/** A network interface of any owner. Interfaces of instances have a shape of their own. */
import { ipv4, Ipv4Net, ipv6, Ipv6Net, MacAddr } from '../../network.ts'
import {
  boolean,
  list,
  Name,
  named,
  object,
  record,
  tagged,
  uint32,
  uint8,
  uuid,
} from '../../schema.ts'

const NetworkInterfaceKind = named(
  'NetworkInterfaceKind',
  tagged('type', { instance: { id: uuid }, service: { id: uuid }, probe: { id: uuid } }),
)

const PrivateIpv4Config = record('PrivateIpv4Config', {
  ip: ipv4,
  subnet: Ipv4Net,
  transit_ips: list(Ipv4Net).default([]),
})
const PrivateIpv6Config = record('PrivateIpv6Config', {
  ip: ipv6,
  subnet: Ipv6Net,
  transit_ips: list(Ipv6Net),
})
const PrivateIpConfig = named(
  'PrivateIpConfig',
  tagged('type', {
    v4: { value: PrivateIpv4Config },
    v6: { value: PrivateIpv6Config },
    dual_stack: { value: object({ v4: PrivateIpv4Config, v6: PrivateIpv6Config }) },
  }),
)

export const NetworkInterface = record('NetworkInterface', {
  id: uuid,
  name: Name,
  kind: NetworkInterfaceKind,
  ip_config: PrivateIpConfig,
  mac: MacAddr,
  vni: named('Vni', uint32),
  primary: boolean,
  slot: uint8,
})
