/** Sends a real packet for a question of reachability. */
import type { Wire } from '@steading/api'
import {
  instanceIsOnline,
  networkReasons,
  type PacketDecision,
  packetDecision,
  packetDifference,
  packetOutcome,
  packetProblems as problems,
  parseAddress,
} from '@steading/api/rules'
import {
  type Answer,
  type AskedPacket,
  type Interface,
  type Network,
  packetOf,
  type RouteRow,
} from '@steading/network'
import type { Context } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { lookup } from '../../../kernel/lookup.ts'
import {
  NotAttached,
  type PacketFate,
  type PacketPlace,
  type PacketVerdict,
  type RealPacket,
  type SendPacket,
} from '../../../kernel/ports/real-packets.ts'
import { statusOf } from '../vpc-networks/status.ts'
import { answerOfModel, type QuestionSelectors, readQuestion } from './question.ts'

type PacketContext = Context<'reachability_packet_send'>

/** Addresses of groups and of everybody. */
function hasManyReceivers(text: string): boolean {
  const { version, value } = parseAddress(text)!
  return version === 'v4' ? value >> 28n >= 0xen : value >> 120n === 0xffn
}

/** @throws ApiError 400 for a packet that is not sent */
function requireHarmless({ protocol, isEchoRequest, destination }: AskedPacket): void {
  if (protocol !== 'tcp' && protocol !== 'udp' && !isEchoRequest) {
    throw fail.invalidRequest(problems.icmp)
  }
  if (hasManyReceivers(destination)) {
    throw fail.invalidRequest(problems.manyReceivers(destination))
  }
}

/** @throws ApiError 400 for an end whose instance or probe does not run, 409 if its network is behind */
async function requireReady({ db }: Pick<PacketContext, 'db'>, at: Interface): Promise<void> {
  const { row } = at.instance
  if (!instanceIsOnline(row.run_state)) {
    throw fail.invalidRequest(networkReasons.machine.down(row, row.run_state))
  }
  const { behind } = await statusOf(db, at.vpc.row.id)
  if (behind) throw fail.conflict(problems.behind(at.vpc.row.name))
}

/** Why no packets are sent; undefined if they are. */
export function packetsProblem({
  vpcNetworks,
  engine,
}: Pick<ControlPlaneServices, 'vpcNetworks' | 'engine'>): string | undefined {
  if (!vpcNetworks?.sendPacket) return problems.unavailable(engine.name)
  return vpcNetworks.isBlind?.() ? problems.oldKernel : undefined
}

/** @throws ApiError 501 where no packets are sent */
function senderOf({ services }: PacketContext): SendPacket {
  const problem = packetsProblem(services)
  if (problem !== undefined) throw fail.notImplemented(problem)
  return services.vpcNetworks!.sendPacket!
}

const placeOf = ({ row, vpc }: Interface): PacketPlace => ({
  interfaceId: row.id,
  mac: row.mac,
  subnetId: row.subnet_id,
  vpcId: vpc.row.id,
})

const withId = <Row extends { id: string }>(rows: readonly Row[], id: string | undefined) =>
  rows.find((row) => row.id === id)

const named = (row: { id: string; name: string } | undefined) =>
  row ? { id: row.id, name: row.name } : null

/** Why a packet does not get on by a route. */
const lossBy = (route: RouteRow | undefined): PacketDecision => {
  switch (route?.target.type) {
    case 'internet_gateway':
      return 'gateway'
    case 'subnet':
      return 'nobody'
    default:
      return 'route'
  }
}

/** The decision about a packet, with the resources that are still there. */
function toWireVerdict(
  { rows }: Network,
  { from, to, source, destination }: AskedPacket,
  { by: decided, allowed, direction, ...decisive }: PacketVerdict,
): NonNullable<Wire.SentPacket['verdict']> {
  const at = direction === 'inbound' ? (to ?? from) : (from ?? to)
  const rule = rows.firewall_rules.find(
    (one) => one.name === decisive.rule && one.vpc_id === at?.vpc.row.id,
  )
  const route = withId(rows.routes, decisive.route)
  const router = withId(rows.routers, route?.vpc_router_id)
  const by = decided === 'route' ? lossBy(route) : decided
  const name = (rule ?? route)?.name ?? null
  return {
    by,
    allowed,
    reason: packetDecision({ by, allowed, direction, name, source, destination }),
    direction: direction ?? null,
    vpc: named(withId(rows.vpcs, router?.vpc_id) ?? at?.vpc.row),
    rule: named(rule),
    router: named(router),
    route: named(route),
  }
}

/** @throws ApiError 409 if an end is not attached here, 503 if the network does not take it */
async function send(
  { services }: PacketContext,
  sendPacket: SendPacket,
  { from, to }: AskedPacket,
  packet: RealPacket,
): Promise<PacketFate> {
  try {
    return await sendPacket(packet)
  } catch (error) {
    const at =
      error instanceof NotAttached && [from, to].find((one) => one?.row.id === error.interfaceId)
    if (at) throw fail.conflict(problems.notAttached(at.instance.row, at.row.name))
    services.settings.log('sending a packet failed', error)
    throw fail.unavailable(problems.failed)
  }
}

/** Whether a packet arrives by the model, or leaves the VPC for the outside. */
function isExpected({ arrives, there }: Answer, { from, to }: AskedPacket): boolean | undefined {
  if (!from || to) return arrives
  const outside = there.find(({ kind }) => kind === 'outside')
  // Nobody there has the address, so it does not matter where the packet ends.
  return outside?.passed === false ? undefined : outside !== undefined
}

export async function sendPacket(
  ctx: PacketContext,
  selectors: QuestionSelectors,
  body: Wire.ReachabilityQuestion,
): Promise<Wire.SentPacket> {
  const read = await readQuestion(ctx, selectors, body)
  const { network, question, isVisible } = read
  const found = packetOf(network, question)
  if (typeof found === 'string') throw fail.invalidRequest(found)
  // A network that the caller may not see is outside: nobody looks into it.
  const packet = found.to && !isVisible(found.to.vpc.row.id) ? { ...found, to: undefined } : found
  const { from, to } = packet
  const changed = from ?? to
  if (!changed) throw fail.invalidRequest(problems.nobody)
  // An address may stand for an instance that the caller may not change.
  const { row } = changed.instance
  await lookup(ctx, row.probe ? 'probe' : 'instance', row.id, {})
  if (from && from.instance === to?.instance) {
    throw fail.invalidRequest(networkReasons.endpoint.itself(from.instance.row))
  }
  requireHarmless(packet)
  const sendBy = senderOf(ctx)
  for (const at of [from, to]) if (at) await requireReady(ctx, at)

  const stopsAtHost = body.to.type === 'internet'
  const { protocol, port, source, destination, isDirect, between } = packet
  const done = ctx.services.packetTurns.begin(ctx.actor.userId)
  const sent = { protocol, port, source, destination, isDirect, between, stopsAtHost }
  const ends = { from: from && placeOf(from), to: to && placeOf(to) }
  const fate = await send(ctx, sendBy, packet, { ...sent, ...ends }).finally(done)
  const model = answerOfModel(read)
  const verdict = fate.verdict ? toWireVerdict(network, packet, fate.verdict) : null
  const seen = { arrived: fate.arrived, answer: fate.answer ?? null }
  return {
    model,
    ...seen,
    outcome: packetOutcome(seen, to?.instance.row ?? null, { stopped: stopsAtHost }),
    verdict,
    difference: packetDifference(isExpected(model, packet), model, seen, verdict),
  }
}
