import type { Reachability, ReachabilityStep } from '@steading/api/client'
import { INTERNET_END, readInstance } from './ends.ts'
import type { QuestionSearch } from './search.ts'

/** The name of an end; names are not capitalized at the beginning of a sentence. */
const endName = (end = '', article = 'the'): string =>
  end === INTERNET_END ? `${article} internet` : (readInstance(end)?.instance ?? end)

const small = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

export const protocolLabels = { tcp: 'TCP', udp: 'UDP', icmp: 'ICMP', icmp6: 'ICMPv6' } as const

type Traffic = Pick<Reachability, 'protocol' | 'port' | 'icmpType' | 'icmpCode'>

/** Describes traffic: "TCP 5432", "ICMP type 8". */
export function trafficWords({ protocol, port, icmpType, icmpCode }: Traffic): string {
  const word = protocolLabels[protocol]
  if (port !== null) return `${word} ${port}`
  return [word, icmpType !== null && `type ${icmpType}`, icmpCode ? `code ${icmpCode}` : false]
    .filter(Boolean)
    .join(' ')
}

const isLetIn = ({ kind, direction, rule }: ReachabilityStep): boolean =>
  kind === 'firewall' && direction === 'inbound' && rule !== null

/** The reason for letting the packet in is more informative than its arrival. */
export const tellingReason = ({ reachable, there, reason }: Reachability): string =>
  (reachable && there.findLast(isLetIn)?.reason) || reason

/** The answer in one sentence. */
export function sentenceOf({ from, to }: QuestionSearch, answer: Reachability): string {
  const ends = (verb: string) =>
    `${endName(from, 'The')} ${verb} ${endName(to)} on ${trafficWords(answer)}`
  if (!answer.reachable) {
    return `${ends(answer.arrives ? 'reaches, but gets no answer from,' : 'cannot reach')}: ${small(answer.reason)}`
  }
  return `${ends('reaches')}: ${small(tellingReason(answer))}`
}
