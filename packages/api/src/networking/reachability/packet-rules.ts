/** Real packets that are sent for a question of reachability, and the sentences about their fate. */
import { type Guest, guestName, networkReasons } from './rules.ts'

/** Questions with a real packet, so that nobody floods a guest. */
export const REAL_PACKET_LIMITS = {
  /** Of a user, in a minute. */
  perMinute: 20,
  /** Of a user, at once. */
  atOnce: 2,
  /** By a server, at once. */
  ofServer: 8,
} as const

/** Seconds within which a guest has to answer. */
export const REAL_PACKET_ANSWER_S = 2

/** The answers of a guest to a packet. A guest that refuses it says that nothing listens there. */
export const packetAnswers = ['answered', 'refused', 'silent', 'lost'] as const
export type PacketAnswer = (typeof packetAnswers)[number]

/** The things that can decide about a packet, by the engine's own trace. */
export const packetDecisions = [
  'rule',
  'default',
  'route',
  'no_route',
  'gateway',
  'sender',
  'receiver',
  'nobody',
  'outside',
  'foreign',
] as const
export type PacketDecision = (typeof packetDecisions)[number]

/** Why no packet is sent. */
export const packetProblems = {
  unavailable: (engine: string) =>
    `This engine (${engine}) cannot send real packets. Real machines with OVN can.`,
  oldKernel:
    'This host cannot watch for real packets: that needs nftables with the hook "egress", and Linux 5.16 or newer.',
  icmp: 'Of ICMP, only echo requests are sent: other types would disturb the guest.',
  manyReceivers: (address: string) =>
    `${address} stands for many receivers; a packet is sent to one only.`,
  nobody:
    'The packet comes from outside, and its destination is no instance or probe that you may change.',
  behind: (vpc: string) =>
    `The latest changes of VPC ${vpc} are not in effect yet. Try again in a moment.`,
  notAttached: (instance: Guest, nic: string) =>
    `Interface ${nic} of ${guestName(instance)} is not attached to the network of this server's host: the instance is about to start, or runs on another host.`,
  failed: 'The network of the host did not take the packet. The log of the server says why.',
  tooMany: (waitMs: number) =>
    `Too many packets. Try again in ${Math.ceil(waitMs / 1000)} seconds.`,
} as const

interface Fate {
  arrived: boolean
  answer: PacketAnswer | null
}

/** The fate of a packet in a sentence; `to` is null outside of all VPCs. */
export function packetOutcome(
  { arrived, answer }: Fate,
  to: Guest | null,
  { stopped }: { stopped: boolean },
): string {
  if (!to) return outcomeOutside(arrived, answer, stopped)
  const name = guestName(to)
  if (!arrived) return `It did not arrive at ${name}.`
  const arrival = `It arrived at ${name}`
  switch (answer) {
    case 'answered':
      return `${arrival}, and the answer came back.`
    case 'refused':
      return `${arrival}, which refused it: nothing listens there, or its own firewall refuses it.`
    case 'lost':
      return `${arrival}, which answered, but the answer did not come back.`
    case 'silent':
      return `${arrival}, but no answer came within ${REAL_PACKET_ANSWER_S} seconds. The network lets it through: look at the guest's programs and its own firewall.`
    case null:
      return `${arrival}.`
  }
}

function outcomeOutside(arrived: boolean, answer: PacketAnswer | null, stopped: boolean): string {
  if (!arrived) return 'It did not leave the VPC.'
  if (stopped) return 'It left the VPC. The host kept it, so no stranger on the internet got it.'
  switch (answer) {
    case 'answered':
      return 'It left the VPC, and the answer came back.'
    case 'refused':
      return 'It left the VPC, and was refused outside.'
    case 'lost':
      return 'It left the VPC and was answered, but the answer did not come back.'
    case 'silent':
    case null:
      return `It left the VPC, but no answer came within ${REAL_PACKET_ANSWER_S} seconds.`
  }
}

interface Decision {
  by: PacketDecision
  allowed: boolean
  direction: 'inbound' | 'outbound' | undefined
  /** Name of the rule or the route; null if there is none by now. */
  name: string | null
  source: string
  destination: string
}

/** The decision about a packet in a sentence, in the words of the model where it knows it. */
export function packetDecision(decision: Decision): string {
  const { by, allowed, direction, name, source, destination } = decision
  const way = direction ?? 'inbound'
  switch (by) {
    case 'rule':
      return name === null
        ? `An ${way} rule that does not exist any more ${allowed ? 'allows' : 'denies'} it.`
        : networkReasons.firewall.rule(allowed ? 'allow' : 'deny', way, name)
    case 'default':
      return networkReasons.firewall.byDefault[way]
    case 'route':
      return name === null
        ? 'A route that does not exist any more drops it.'
        : networkReasons.route.drop(name)
    case 'no_route':
      return networkReasons.route.none(destination)
    case 'gateway':
      return `No internet gateway lets ${source} out: it has no external address there.`
    case 'sender':
      return `The interface may not send from ${source}.`
    case 'receiver':
      return `The interface may not receive for ${destination}.`
    case 'nobody':
      return `Nothing in the network has the address ${destination}.`
    case 'outside':
      return `From outside, nothing is reached at ${destination}: it is no external address.`
    case 'foreign':
      return `A rule that somebody else has added to the network ${allowed ? 'allows' : 'denies'} it.`
  }
}

/**
 * Where a packet did something else than the model says; null where they agree.
 * @param expected whether it arrives by the model, or leaves for the outside; undefined if the model
 *   does not say
 */
export function packetDifference(
  expected: boolean | undefined,
  model: { reachable: boolean; reason: string },
  { arrived, answer }: Fate,
  verdict: { allowed: boolean; reason: string } | null,
): string | null {
  if (!arrived && expected) {
    const cause = !verdict
      ? 'What stopped it is not known.'
      : verdict.allowed
        ? 'The network itself would deliver it, so its host or another program there loses it.'
        : `In the network, this decided: ${verdict.reason}`
    return `The packet did not arrive, although rules and routes let it through. ${cause}`
  }
  if (arrived && expected === false) {
    return `The packet arrived, although the configuration stops it: ${model.reason}`
  }
  if (answer === 'lost' && model.reachable) {
    return 'The answer did not come back, although rules and routes let it through.'
  }
  if (answer === 'answered' && !model.reachable) {
    return `An answer came back, although the configuration stops it: ${model.reason}`
  }
  return null
}
