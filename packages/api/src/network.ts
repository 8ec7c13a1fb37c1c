/** IP addresses, networks and MAC addresses in wire format. */
import { describeJson } from './describe-json.ts'
import {
  ADDRESS_MAX,
  formatAddress,
  formatNetwork,
  ipv4NetProblem,
  ipv6NetProblem,
  type IpVersion,
  ipVersion,
  NETWORK_MAX,
  parseAddress,
  parseNetwork,
} from './rules/ip.ts'
import { named, ruled, scalar, text } from './schema.ts'

/** The text of a valid address as it is stored and answered. */
export const canonicalAddress = (value: string) => formatAddress(parseAddress(value)!)

/** The last network, since the rule looks at a network before its canonical text is made. */
let last: { text: string; net: ReturnType<typeof parseNetwork> } = { text: '', net: undefined }
function networkOf(text: string) {
  if (text !== last.text) last = { text, net: parseNetwork(text) }
  return last.net
}
/** An IPv4 network has a single spelling. */
const canonicalNetwork = (value: string) =>
  value.includes(':') ? formatNetwork(networkOf(value)!) : value

/** Validators know the formats of IPv4 and IPv6, but none for both. */
const ipForm = ruled({ format: 'ip' }, { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] })
export const ip = text(
  ADDRESS_MAX,
  ipForm,
  (value) => (ipVersion(value) ? undefined : 'invalid IP address syntax'),
  canonicalAddress,
)
export const ipv4 = text(ADDRESS_MAX, { format: 'ipv4' }, (value) =>
  ipVersion(value) === 'v4' ? undefined : 'invalid IPv4 address syntax',
)
export const ipv6 = text(
  ADDRESS_MAX,
  { format: 'ipv6' },
  (value) => (ipVersion(value) === 'v6' ? undefined : 'invalid IPv6 address syntax'),
  canonicalAddress,
)

const octet = '([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])'
export const Ipv4Net = named(
  'Ipv4Net',
  text(
    NETWORK_MAX,
    { pattern: `^(${octet}\\.){3}${octet}/([0-9]|1[0-9]|2[0-9]|3[0-2])$` },
    ipv4NetProblem,
  ),
)

/** All abbreviations of an IPv6 address that RFC 4291 permits, followed by a width. */
const ipv6NetPattern =
  '^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:)|fe80:(:[0-9a-fA-F]{0,4}){0,4}%[0-9a-zA-Z]{1,}|::(ffff(:0{1,4}){0,1}:){0,1}((25[0-5]|(2[0-4]|1{0,1}[0-9]){0,1}[0-9])\\.){3,3}(25[0-5]|(2[0-4]|1{0,1}[0-9]){0,1}[0-9])|([0-9a-fA-F]{1,4}:){1,4}:((25[0-5]|(2[0-4]|1{0,1}[0-9]){0,1}[0-9])\\.){3,3}(25[0-5]|(2[0-4]|1{0,1}[0-9]){0,1}[0-9]))\\/([0-9]|[1-9][0-9]|1[0-1][0-9]|12[0-8])$'
export const Ipv6Net = named(
  'Ipv6Net',
  text(NETWORK_MAX, { pattern: ipv6NetPattern }, ipv6NetProblem, canonicalNetwork),
)

const ipv4NetRef = { $ref: '#/components/schemas/Ipv4Net' }
const ipv6NetRef = { $ref: '#/components/schemas/Ipv6Net' }
const versionOf = (value: unknown) =>
  typeof value === 'string' && value.length <= NETWORK_MAX ? networkOf(value)?.version : undefined

/** An IPv4 or IPv6 network. The rules of transit IPs check its host bits. */
export const IpNet = named(
  'IpNet',
  scalar(
    { oneOf: [ipv4NetRef, ipv6NetRef] },
    (value) =>
      versionOf(value) ? undefined : 'data did not match any variant of untagged enum IpNet',
    canonicalNetwork,
  ),
)

/** A network in a request, with its host bits unchecked. */
const wantedNet = (ref: typeof ipv4NetRef, version: IpVersion) =>
  scalar(
    ref,
    (value) => {
      if (typeof value !== 'string')
        return `invalid type: ${describeJson(value)}, expected a string`
      return versionOf(value) === version
        ? undefined
        : `invalid IP network: ${value.slice(0, NETWORK_MAX + 1)}`
    },
    canonicalNetwork,
  )
export const wantedIpv4Net = wantedNet(ipv4NetRef, 'v4')
export const wantedIpv6Net = wantedNet(ipv6NetRef, 'v6')

export const MacAddr = named(
  'MacAddr',
  text(17, { pattern: '^([0-9a-fA-F]{0,2}:){5}[0-9a-fA-F]{0,2}$', minLength: 5 }),
)
