/** What OVN has seen of packets. */
import { NetworkSilent, type VpcNetworks } from '@steading/control-plane/ports'
import type { NetworkHost } from '../host/host.ts'
import type { Northbound } from '../northbound/northbound.ts'
import { otherwiseKeys, ruleOfKey } from '../vpc/firewall.ts'
import { createDeniedPackets } from './denied-packets.ts'
import { createRuleCounters } from './rule-counters.ts'

interface Observed {
  southbound: string
  host: NetworkHost
}

export interface Observer {
  port: Required<Pick<VpcNetworks, 'firewallUse' | 'deniedPackets'>>
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

/** @param northbound of this server; fails while there is none */
export function observe(
  { southbound, host: { run, controllerLog } }: Observed,
  northbound: () => Promise<Northbound>,
): Observer {
  const decisions = async () => (await northbound()).decisions()
  const counters = createRuleCounters({ run, southbound, decisions })
  const denied = createDeniedPackets({ run, path: controllerLog, decisions })
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
    },
    start: counters.start,
    close: counters.close,
  }
}
