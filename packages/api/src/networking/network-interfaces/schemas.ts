import { INSTANCE_MAX_NICS } from '../../compute/instances/rules.ts'
import { LIST_MAX } from '../../rules/limits.ts'
import {
  IpNet,
  ipv4,
  Ipv4Net,
  ipv6,
  Ipv6Net,
  MacAddr,
  wantedIpv4Net,
  wantedIpv6Net,
} from '../../network.ts'
import {
  array,
  boolean,
  identity,
  identityCreate,
  identityUpdate,
  list,
  Name,
  named,
  object,
  record,
  ruledArray,
  tagged,
  uuid,
} from '../../schema.ts'
import { changed } from '../../versions.ts'
import { defaultInterfaceChange, interfaceCreateChange } from './upgrade.ts'

const Ipv4Assignment = named(
  'Ipv4Assignment',
  tagged('type', { auto: {}, explicit: { value: ipv4 } }),
)
const Ipv6Assignment = named(
  'Ipv6Assignment',
  tagged('type', { auto: {}, explicit: { value: ipv6 } }),
)

const PrivateIpv4StackCreate = record('PrivateIpv4StackCreate', {
  ip: Ipv4Assignment,
  transit_ips: array(wantedIpv4Net, LIST_MAX).default([]),
})
const PrivateIpv6StackCreate = record('PrivateIpv6StackCreate', {
  ip: Ipv6Assignment,
  transit_ips: array(wantedIpv6Net, LIST_MAX).default([]),
})
export const PrivateIpStackCreate = named(
  'PrivateIpStackCreate',
  tagged('type', {
    v4: { value: PrivateIpv4StackCreate },
    v6: { value: PrivateIpv6StackCreate },
    dual_stack: { value: object({ v4: PrivateIpv4StackCreate, v6: PrivateIpv6StackCreate }) },
  }),
)

const PrivateIpv4Stack = record('PrivateIpv4Stack', { ip: ipv4, transit_ips: list(Ipv4Net) })
const PrivateIpv6Stack = record('PrivateIpv6Stack', { ip: ipv6, transit_ips: list(Ipv6Net) })
const PrivateIpStack = named(
  'PrivateIpStack',
  tagged('type', {
    v4: { value: PrivateIpv4Stack },
    v6: { value: PrivateIpv6Stack },
    dual_stack: { value: object({ v4: PrivateIpv4Stack, v6: PrivateIpv6Stack }) },
  }),
)

const automatic = { ip: { type: 'auto' }, transit_ips: [] }
const dualStackAutomatic = { type: 'dual_stack', value: { v4: automatic, v6: automatic } }

export const InstanceNetworkInterfaceCreate = changed(
  record('InstanceNetworkInterfaceCreate', {
    ...identityCreate,
    vpc_name: Name,
    subnet_name: Name,
    ip_config: PrivateIpStackCreate.default(dualStackAutomatic),
  }),
  interfaceCreateChange,
)

/** Network interfaces of a new instance. */
export const InstanceNetworkInterfaceAttachment = changed(
  named(
    'InstanceNetworkInterfaceAttachment',
    tagged('type', {
      create: { params: ruledArray(InstanceNetworkInterfaceCreate, INSTANCE_MAX_NICS) },
      default_ipv4: {},
      default_ipv6: {},
      default_dual_stack: {},
      none: {},
    }),
  ),
  defaultInterfaceChange,
)

export const InstanceNetworkInterface = record('InstanceNetworkInterface', {
  ...identity,
  instance_id: uuid,
  vpc_id: uuid,
  subnet_id: uuid,
  mac: MacAddr,
  primary: boolean,
  ip_stack: PrivateIpStack,
})

/** An absent name or description is kept; the transit IPs are replaced. */
export const InstanceNetworkInterfaceUpdate = record('InstanceNetworkInterfaceUpdate', {
  ...identityUpdate,
  primary: boolean.default(false),
  transit_ips: array(IpNet, LIST_MAX).default([]),
})
