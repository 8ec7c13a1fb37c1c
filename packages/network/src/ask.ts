import { formatAddress, type IpVersion, networkReasons as reasons } from '@steading/api/rules'
import { type Ends, NoEnd, type Question, Resolver, versionsOf } from './ends.ts'
import type { Network } from './model.ts'
import { addressOf } from './ranges.ts'
import { icmpPort, isIcmp, type Protocol } from './selection.ts'
import { explain, placeOf, step, type Step } from './steps.ts'
import { answerOf, echo, type Traffic } from './traffic.ts'
import { follow, isAnswerTo } from './walk.ts'

export interface Answer {
  /** Whether both the packet and its answer arrive. */
  reachable: boolean
  reason: string
  ip_version: IpVersion
  protocol: Protocol
  port: number | null
  icmp_type: number | null
  icmp_code: number | null
  /** The packet as sent. Null if there is no such address. */
  source: string | null
  destination: string | null
  there: Step[]
  /** Whether the packet arrives. */
  arrives: boolean
  /** Empty unless the packet arrives and is answered. */
  back: Step[]
}

/** The traffic of a question, in terms of rules. */
function trafficOf(question: Question, version: IpVersion): Traffic {
  if (question.protocol !== 'icmp') return { protocol: question.protocol, port: question.port ?? 0 }
  const protocol = version === 'v4' ? 'icmp' : 'icmp6'
  const type = question.icmp_type ?? echo[protocol].request
  return { protocol, port: icmpPort(type, question.icmp_code ?? 0) }
}

interface Asked {
  version: IpVersion
  traffic: Traffic
  /** A sentence if there is no such packet. */
  ends: Ends | string
}

/** The packet that a question is about. */
export function askedPacket(network: Network, question: Question): Asked {
  const { from, to } = question
  const able = versionsOf(network, from)
  const given = [from, to].flatMap((end) =>
    end.type === 'address' ? [addressOf(end.address).version] : [],
  )
  const version =
    question.ip_version ??
    given[0] ??
    able.find((one) => versionsOf(network, to).includes(one)) ??
    able[0] ??
    'v4'
  const traffic = trafficOf(question, version)
  if (given.some((one) => one !== version)) {
    return { version, traffic, ends: reasons.endpoint.noVersionInCommon }
  }
  try {
    return { version, traffic, ends: new Resolver(network, question, version).ends() }
  } catch (error) {
    if (error instanceof NoEnd) return { version, traffic, ends: error.message }
    throw error
  }
}

/** Follows one packet through the network, and its answer. */
export function ask(network: Network, question: Question): Answer {
  const { version, traffic, ends } = askedPacket(network, question)
  const { protocol, port } = traffic
  const icmp = isIcmp(protocol)
  const about = {
    ip_version: version,
    protocol,
    port: icmp ? null : port,
    icmp_type: icmp ? Math.floor(port / 256) : null,
    icmp_code: icmp ? port % 256 : null,
  }
  if (typeof ends === 'string') {
    return {
      reachable: false,
      reason: ends,
      ...about,
      source: null,
      destination: null,
      there: [],
      arrives: false,
      back: [],
    }
  }
  const { start, begin } = ends
  const ways = follow(network, start)
  const there = explain(ways.there, traffic)
  const answer = {
    ...about,
    source: formatAddress(start.packet.source),
    destination: formatAddress(start.packet.destination),
    there: [begin, ...there.steps],
  }
  if (there.lost) {
    return { reachable: false, reason: there.lost.reason, ...answer, arrives: false, back: [] }
  }
  const arrived = answer.there.at(-1)!.reason
  const reply = answerOf(traffic)
  if (!reply || !ways.back) {
    return { reachable: true, reason: arrived, ...answer, arrives: true, back: [] }
  }
  const back = explain(ways.back, reply)
  const { end: last } = ways.back
  const misses = !back.lost && (!last || !isAnswerTo(start, last))
  if (last && !back.lost) {
    const text = misses
      ? reasons.delivery.otherSource(
          formatAddress(last.packet.source),
          formatAddress(start.packet.destination),
        )
      : reasons.delivery.back
    back.steps.push({
      ...step('delivery', !misses, text, last.packet),
      ...(last.at ? placeOf(last.at) : {}),
    })
  }
  const problem = back.lost?.reason ?? (misses ? back.steps.at(-1)!.reason : undefined)
  return {
    reachable: problem === undefined,
    reason: problem ?? arrived,
    ...answer,
    arrives: true,
    back: back.steps,
  }
}
