/** Packets that the networks of VPCs have seen, and the health of these networks. */
import type { Wire } from '@steading/api'
import { networkSilent } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import {
  type DecisionUse,
  type DeniedPackets,
  NetworkSilent,
  type VpcNetworks,
} from '../../../kernel/ports/vpc-networks.ts'
import { rowsOf } from '../../../kernel/kinds.ts'

/** @throws ApiError 503 if the network does not answer */
async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof NetworkSilent ? fail.unavailable(networkSilent) : error
  }
}

const toWireUse = ({ packets, since, last }: DecisionUse): Wire.FirewallUse => ({
  packets,
  time_since: since.toISOString(),
  time_last: last?.toISOString() ?? null,
})

export async function firewallUseOf(
  vpcNetworks: VpcNetworks | undefined,
  vpcId: string,
): Promise<Wire.VpcFirewallUse> {
  const use = await answered(Promise.resolve(vpcNetworks?.firewallUse?.(vpcId)))
  const { inbound, outbound } = use?.byDefault ?? {}
  return {
    measured: use !== undefined,
    rules: [...(use?.rules ?? [])].map(([name, own]) => ({ name, ...toWireUse(own) })),
    denied_by_default: inbound ? toWireUse(inbound) : null,
    allowed_by_default: outbound ? toWireUse(outbound) : null,
  }
}

const toWireDenied = (one: DeniedPackets): Wire.DeniedPacket => ({
  time_first: one.first.toISOString(),
  time_last: one.last.toISOString(),
  packets: one.packets,
  direction: one.direction,
  protocol: one.protocol,
  source: one.source,
  destination: one.destination,
  port: one.port ?? null,
  icmp_type: one.icmpType ?? null,
  interface_id: one.interfaceId,
  rule: typeof one.by === 'object' ? one.by.rule : null,
  by_default: one.by === 'default',
})

export async function deniedPacketsOf(
  db: Db,
  vpcNetworks: VpcNetworks | undefined,
  instanceId: string,
): Promise<Wire.DeniedPackets> {
  if (!vpcNetworks?.deniedPackets) return { recorded: false, packets: [] }
  const interfaces = await rowsOf(db, 'network_interface')
    .select(['its.id', 'its.mac', 'its.vpc_id as vpcId'])
    .where('its.instance_id', '=', instanceId)
    .execute()
  const packets = await answered(vpcNetworks.deniedPackets(interfaces))
  return { recorded: true, packets: packets.map(toWireDenied) }
}

const timeOf = (date: Date | undefined): string | null => date?.toISOString() ?? null

/** The software of this host; null if it cannot be read now. */
async function hostStateOf(
  vpcNetworks: VpcNetworks | undefined,
): Promise<Wire.NetworkHostState | null> {
  const state = await vpcNetworks?.hostState?.().catch((error: unknown) => {
    if (error instanceof NetworkSilent) return undefined
    throw error
  })
  if (!state) return null
  const daemons = state.daemons.map(({ name, state: its, since, version = null }) => ({
    name,
    state: its,
    time_started: timeOf(since),
    version,
  }))
  return { daemons, flows: state.flows ?? null }
}

export async function systemNetworks(
  vpcNetworks: VpcNetworks | undefined,
): Promise<Wire.SystemNetworks> {
  const health = vpcNetworks?.health?.()
  return {
    version: health?.version ?? null,
    silent: health?.silentCenter?.part ?? null,
    time_silent: timeOf(health?.silentCenter?.since),
    hosts: (health?.hosts ?? []).map(({ name, answered, silentSince, tunnels }) => ({
      name,
      time_answered: timeOf(answered),
      time_silent: timeOf(silentSince),
      tunnels,
    })),
    host_state: await hostStateOf(vpcNetworks),
  }
}
