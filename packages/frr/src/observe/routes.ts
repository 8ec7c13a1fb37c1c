/** The routes that FRR exchanges with peers. */
import type { HostShell } from '@steading/commands/host-shell'
import * as z from 'zod'
import { ask, vtysh } from '../ask.ts'
import type { UplinkHost } from '../hosts.ts'
import { answerOf } from '../json.ts'
import { OBSERVE_MS } from './states.ts'

const families = ['ipv4', 'ipv6'] as const

const Path = z.object({
  peerId: z.string().optional(),
  nexthops: z.array(z.object({ ip: z.string() })).optional(),
})
const Table = z
  .object({ routes: z.record(z.string(), z.array(Path)).optional() })
  .transform(({ routes = {} }) => routes)

const Advertised = z
  .object({ advertisedRoutes: z.record(z.string(), z.unknown()).optional() })
  .transform(({ advertisedRoutes = {} }) => Object.keys(advertisedRoutes))

export interface PeerRoute {
  /** The peer, as FRR calls it. */
  peer: string
  prefix: string
  nexthop: string
}

const isNothing = (output: string): boolean => output.trim() === '' || output.trim().startsWith('%')

/** The routes that were received and accepted. */
export async function importedOf(shell: HostShell, host: UplinkHost): Promise<PeerRoute[]> {
  const replies = await ask(
    shell,
    families.map((family) => vtysh(host, `show bgp ${family} unicast json`)),
    OBSERVE_MS,
  )
  return replies.flatMap((reply) => {
    if (isNothing(reply.output)) return []
    return Object.entries(answerOf(reply, Table, 'the table of routes')).flatMap(
      ([prefix, paths]) =>
        paths.flatMap(({ peerId, nexthops }): PeerRoute[] => {
          const nexthop = nexthops?.[0]?.ip
          return peerId === undefined || nexthop === undefined
            ? []
            : [{ peer: peerId, prefix, nexthop }]
        }),
    )
  })
}

/** Peers that are asked about at a time: each may have a thousand networks. */
const AT_A_TIME = 16

/** The networks that were announced to each of some peers. */
export async function exportedOf(
  shell: HostShell,
  host: UplinkHost,
  peers: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (let at = 0; at < peers.length; at += AT_A_TIME) {
    const some = peers.slice(at, at + AT_A_TIME)
    const asked = some.flatMap((peer) => families.map((family) => ({ peer, family })))
    const replies = await ask(
      shell,
      asked.map(({ peer, family }) =>
        vtysh(host, `show bgp ${family} unicast neighbors ${peer} advertised-routes json`),
      ),
      OBSERVE_MS,
    )
    for (const [index, { peer }] of asked.entries()) {
      const reply = replies[index]!
      if (isNothing(reply.output)) continue
      const prefixes = answerOf(reply, Advertised, `the routes announced to ${peer}`)
      found.set(peer, [...(found.get(peer) ?? []), ...prefixes])
    }
  }
  return found
}
