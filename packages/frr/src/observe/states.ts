/** The states of sessions and interfaces, as FRR says them. */
import type { BfdState, BgpPeerState } from '@steading/api/rules'
import * as z from 'zod'
import { ask, vtysh } from '../ask.ts'
import type { HostShell } from '@steading/commands/host-shell'
import type { UplinkHost } from '../hosts.ts'
import { answerOf } from '../json.ts'

/** Milliseconds for all answers of a host. */
export const OBSERVE_MS = 5_000

const Family = z.object({ acceptedPrefixCounter: z.number().optional() })

const Neighbor = z.object({
  remoteAs: z.number().optional(),
  remoteRouterId: z.string().optional(),
  bgpState: z.string(),
  bgpTimerUpEstablishedEpoch: z.number().optional(),
  lastResetTimerMsecs: z.number().optional(),
  bgpNeighborAddr: z.string().optional(),
  hostForeign: z.string().optional(),
  addressFamilyInfo: z.record(z.string(), Family).optional(),
})
export type Neighbor = z.infer<typeof Neighbor>

const Session = z.object({
  peer: z.string(),
  multihop: z.boolean(),
  local: z.string().optional(),
  status: z.string(),
})
export type Session = z.infer<typeof Session>

const Interface = z.object({
  administrativeStatus: z.string(),
  operationalStatus: z.string(),
  lastLinkUp: z.string().optional(),
  lastLinkDown: z.string().optional(),
})
export type Interface = z.infer<typeof Interface>

/** Without BGP, FRR says so beside the peers. */
const Neighbors = z.record(z.string(), z.unknown()).transform((all) =>
  Object.entries(all).flatMap(([name, one]) => {
    const { data } = Neighbor.safeParse(one)
    return data ? [[name, data] as const] : []
  }),
)

export interface States {
  /** When they were read. */
  at: Date
  /** Name of the peer, which is its address or an interface. */
  neighbors: ReadonlyMap<string, Neighbor>
  sessions: readonly Session[]
  interfaces: ReadonlyMap<string, Interface>
  /** Minutes by which local times of the host are ahead of UTC. */
  offset: number
}

/** Nothing where a daemon is not asked for, because nothing needs it. */
const orNothing = (output: string): string => (output.trim().startsWith('%') ? '' : output)

/** @throws CommandError, DaemonError */
export async function readStates(shell: HostShell, host: UplinkHost): Promise<States> {
  const [neighbors, sessions, interfaces, zone] = await ask(
    shell,
    [
      vtysh(host, 'show bgp neighbors json'),
      vtysh(host, 'show bfd peers json'),
      vtysh(host, 'show interface json'),
      ['date', '+%z'],
    ],
    OBSERVE_MS,
  )
  const answered = answerOf(interfaces!, z.record(z.string(), Interface), 'the list of interfaces')
  const ofPeers = orNothing(neighbors!.output)
  const ofSessions = orNothing(sessions!.output)
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)/.exec(zone!.output) ?? []
  return {
    at: new Date(),
    neighbors: new Map(
      ofPeers.trim() === '' ? [] : answerOf(neighbors!, Neighbors, 'the list of BGP peers'),
    ),
    sessions:
      ofSessions.trim() === ''
        ? []
        : answerOf(sessions!, z.array(Session), 'the list of BFD sessions'),
    interfaces: new Map(Object.entries(answered)),
    offset: (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)),
  }
}

const peerStates: Record<string, BgpPeerState> = {
  Idle: 'idle',
  Connect: 'connect',
  Active: 'active',
  OpenSent: 'open_sent',
  OpenConfirm: 'open_confirm',
  Established: 'established',
}
/** States in which a session ends are those of one that is not there. */
export const peerState = (text: string): BgpPeerState => peerStates[text] ?? 'idle'

const bfdStates: Record<string, BfdState> = { up: 'up', init: 'init', shutdown: 'admin_down' }
export const bfdState = (text: string): BfdState => bfdStates[text] ?? 'down'

/** A local time of the host, as `2026/11/29 22:15:05.34`; undefined for `(never)`. */
export function hostTime(text: string | undefined, offset: number): Date | undefined {
  const found = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)/.exec(text ?? '')
  if (!found) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return new Date(Date.UTC(year, month - 1, day, hour, minute - offset, second))
}
