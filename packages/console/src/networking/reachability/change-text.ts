/** Texts for connections opened and closed by a change of a network. */
import type { ChangedTraffic, ConnectionChangeEnds, NetworkChanges } from '@steading/api/client'
import { formatNumber } from '../../ui/number.ts'
import { protocolLabels } from './sentence.ts'

/** The ends on one side: "web-1, web-2 and 8 more, the internet". */
export function endsText({ instances, total, outside }: ConnectionChangeEnds): string {
  const names = instances.map(({ name }) => name)
  const more = total - names.length
  const first = names.join(', ')
  return [
    ...(first ? [more > 0 ? `${first} and ${more} more` : first] : []),
    ...outside.map((one) => (one === 'internet' ? 'the internet' : one)),
  ].join(', ')
}

const versionWords = { v4: 'IPv4', v6: 'IPv6' } as const

/** Describes traffic: "TCP 22, 80-443; all UDP over IPv6". */
export const trafficText = (traffic: readonly ChangedTraffic[]): string =>
  traffic
    .map(({ protocol, ipVersions, ports }) => {
      const word = protocolLabels[protocol]
      const what = ports.length > 0 ? `${word} ${ports.join(', ')}` : `all ${word}`
      // ICMP implies its IP version.
      const one = protocol === 'tcp' || protocol === 'udp' ? ipVersions : []
      return one.length === 1 ? `${what} over ${versionWords[one[0]!]}` : what
    })
    .join('; ')

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

const connections = (count: number): string => counted(count, 'connection')

/** The parts of a large network that were not compared; undefined if all were. */
export function leftOutText({ leftOut }: Pick<NetworkChanges, 'leftOut'>): string | undefined {
  const { instances, networks, pairs } = leftOut
  const parts = [
    instances > 0 && counted(instances, 'instance'),
    networks > 0 && counted(networks, 'network outside', 'networks outside'),
    pairs > 0 && counted(pairs, 'connection'),
  ].filter((part) => part !== false)
  if (parts.length === 0) return undefined
  return `The network is too large to compare all of it. Not compared: ${parts.join(', ')}.`
}

/** Sentence with the number of changed connections. */
export function summaryOf({ changes, moreChanges }: NetworkChanges): string {
  const pairs = (which: 'gained' | 'lost') =>
    changes.reduce((sum, change) => sum + (change[which].length > 0 ? change.pairs : 0), 0)
  const [lost, gained] = [pairs('lost'), pairs('gained')]
  if (lost + gained === 0) return 'No connection is opened or closed.'
  const atLeast = moreChanges > 0 ? 'at least ' : ''
  return `${[
    lost > 0 && `closes ${atLeast}${connections(lost)}`,
    gained > 0 && `opens ${atLeast}${connections(gained)}`,
  ]
    .filter(Boolean)
    .join(' and ')
    .replace(/^./, (first) => first.toUpperCase())}.`
}
