/** Packets that OVN has seen, and the health of OVN itself. */
import { type Log, NetworkSilent, type VpcNetworks } from '@steading/control-plane/ports'
import type { NetworkHost } from '../host/host.ts'
import type { Northbound, OtherHosts } from '../northbound/northbound.ts'
import type { Remote } from '../ovsdb/remote.ts'
import { otherwiseKeys, ruleOfKey } from '../vpc/firewall.ts'
import { readDaemons } from './daemons.ts'
import { createDeniedPackets } from './denied-packets.ts'
import { type Patience, watchHosts } from './hosts.ts'
import { createRuleCounters } from './rule-counters.ts'

export interface Observed {
  southbound: Remote
  host: NetworkHost
  patience?: Patience
  log: Log
}

type Observing = 'firewallUse' | 'deniedPackets' | 'health' | 'hostState'

export interface Observer {
  port: Required<Pick<VpcNetworks, Observing>>
  others: OtherHosts
  start: () => void
  close: () => void
}

/** @throws NetworkSilent instead of all else */
async function heard<Answer>(asked: () => Promise<Answer>): Promise<Answer> {
  try {
    return await asked()
  } catch (error) {
    throw new NetworkSilent('OVN does not say what it has seen', { cause: error })
  }
}

/** @param running the northbound database of this server, and its chassis; fails while there is none */
export function observe(
  { southbound, host: { run, controllerLog }, log, patience }: Observed,
  running: () => Promise<{ northbound: Northbound; chassis: readonly string[] }>,
): Observer {
  const decisions = async () => (await running()).northbound.decisions()
  const counters = createRuleCounters({ run, southbound, decisions })
  const denied = createDeniedPackets({ run, path: controllerLog, decisions })
  const hosts = watchHosts({
    running,
    southbound,
    log: (problem) => log(`the connection to OVN is lost: ${problem}`),
    ...(patience && { patience }),
  })
  return {
    port: {
      firewallUse: (vpcId) =>
        heard(async () => {
          const uses = await counters.of(vpcId)
          const rules = [...uses].flatMap(([key, use]) => {
            const name = ruleOfKey(key)
            return name === undefined ? [] : [[name, use] as const]
          })
          return {
            rules: new Map(rules),
            byDefault: {
              inbound: uses.get(otherwiseKeys.inbound),
              outbound: uses.get(otherwiseKeys.outbound),
            },
          }
        }),
      deniedPackets: (interfaces) => heard(() => denied(interfaces)),
      health: hosts.report,
      hostState: () => heard(() => readDaemons(run, southbound)),
    },
    others: hosts,
    start() {
      counters.start()
      hosts.start()
    },
    close() {
      counters.close()
      hosts.close()
    },
  }
}
