/** Rules of multicast groups and their members (control plane 8.10). */
import { errors, type ErrorTemplate } from '../../rules/errors.ts'
import { INSTANCE_MAX_MULTICAST_GROUPS, type InstanceState } from '../../compute/instances/rules.ts'
import { formatAddress, type IpVersion, ipVersionName, parseAddress } from '../../rules/ip.ts'
import { isMulticastAddress, type MulticastMode, multicastModeOf } from '../ip-pools/rules.ts'
import { isUuid, nameProblem } from '../../rules/names.ts'

export const multicastMemberStates = ['Joining', 'Joined', 'Left'] as const
export type MulticastMemberState = (typeof multicastMemberStates)[number]

/** Sources per member and group. */
export const MULTICAST_MAX_SOURCES = 64

/** Target state of a group member, by the state of its instance. Only running guests receive. */
const wanted: Record<InstanceState, MulticastMemberState> = {
  creating: 'Joining',
  starting: 'Joining',
  running: 'Joined',
  rebooting: 'Joined',
  migrating: 'Joined',
  stopping: 'Left',
  stopped: 'Left',
  repairing: 'Left',
  failed: 'Left',
  destroyed: 'Left',
}
export const desiredMulticastState = (state: InstanceState): MulticastMemberState => wanted[state]

export const multicastMessages = {
  disabled: 'multicast functionality is currently disabled',
  tooMany: `An instance may not join more than ${INSTANCE_MAX_MULTICAST_GROUPS} multicast groups`,
  duplicate: 'Duplicate multicast group specified in request',
  noSources: 'SSM multicast addresses require at least one source IP',
  tooManySources: `A member may not name more than ${MULTICAST_MAX_SOURCES} source IPs`,
  otherFamily: (source: string, version: IpVersion) =>
    `source IP ${source} does not match multicast group address family (${ipVersionName[version]})`,
  notUnicast: (source: string) => `source IP ${source} is not a unicast address`,
  otherVersion: (asked: IpVersion, version: IpVersion) =>
    `ip_version ${asked} does not match multicast group address family (${ipVersionName[version]})`,
  notInPool: (ip: string) => `multicast IP address ${ip} is not in any configured multicast pool`,
  noPool: (mode: MulticastMode, version: IpVersion | undefined) =>
    `No ${version ? `${version} ` : ''}${mode} multicast pool linked to your silo. Create a multicast pool and link it to your silo, or provide an explicit pool or multicast address.`,
} as const

/** Refusal to join any group now; undefined if instances may. */
export const joinRefusal = (enabled: boolean): ErrorTemplate | undefined =>
  enabled ? undefined : errors.invalidRequest(multicastMessages.disabled)

/** Problem with a group selector; undefined if it is valid. */
export function multicastGroupProblem(text: string): string | undefined {
  const address = parseAddress(text)
  if (address) return isMulticastAddress(address) ? undefined : `${text} is not a multicast address`
  if (isUuid(text)) return undefined
  return nameProblem(text) && 'expected a name, an ID or a multicast IP address'
}

/** Form error for a group selector; undefined if it is valid. */
export const multicastGroupFieldProblem = (text: string): string | undefined =>
  text === '' ? 'Group is required' : multicastGroupProblem(text)

/** Canonical group selector: the shortest form of an address, or a lower case id. */
export function multicastGroupSelector(text: string): string {
  const address = parseAddress(text)
  if (address) return formatAddress(address)
  return isUuid(text) ? text.toLowerCase() : text
}

const LOOPBACK_V4 = 127n

/** Problem with sources alone, whatever the group. */
function sourceProblem(source: string): string | undefined {
  const address = parseAddress(source)!
  const { version, value } = address
  const isHost =
    value !== 0n &&
    !isMulticastAddress(address) &&
    (version === 'v4' ? value >> 24n !== LOOPBACK_V4 && value >> 28n !== 15n : value !== 1n)
  return isHost ? undefined : multicastMessages.notUnicast(source)
}

/**
 * Reason that a member cannot name these sources; undefined if it can.
 * @param ip the address of the group
 */
export function multicastSourcesProblem(
  ip: string,
  sources: readonly string[],
): string | undefined {
  const { version } = parseAddress(ip)!
  if (sources.length > MULTICAST_MAX_SOURCES) return multicastMessages.tooManySources
  for (const source of sources) {
    if (parseAddress(source)!.version !== version) {
      return multicastMessages.otherFamily(source, version)
    }
    const problem = sourceProblem(source)
    if (problem) return problem
  }
  return sources.length === 0 && multicastModeOf(ip) === 'SSM'
    ? multicastMessages.noSources
    : undefined
}

/**
 * Form error for sources; undefined if they are valid.
 * @param ip the address of the group, if known
 */
export function multicastSourcesFieldProblem(
  sources: readonly string[],
  ip: string | undefined,
): string | undefined {
  const bad = sources.find((source) => !parseAddress(source))
  if (bad !== undefined) return `${bad} is not an IP address`
  return ip === undefined
    ? sources.map(sourceProblem).find(Boolean)
    : multicastSourcesProblem(ip, sources)
}

/** Sources in canonical spelling, without duplicates, in order. */
export const canonicalSources = (sources: readonly string[]): string[] => [
  ...new Set(sources.map((source) => formatAddress(parseAddress(source)!))),
]

/** Name of a group that is created by its address. */
export function nameOfMulticastIp(ip: string): string {
  const { version, value } = parseAddress(ip)!
  if (version === 'v4') return `mcast-${ip.replaceAll('.', '-')}`
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - i * 16)) & 0xffffn).toString(16),
  )
  return `mcast-${groups.join('-')}`
}
