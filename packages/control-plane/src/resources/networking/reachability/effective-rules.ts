import type { Wire } from '@steading/api'
import { compile, type Interface, overruled, type Rule } from '@steading/network'
import type { Db } from '../../../kernel/db/database.ts'
import { readNetwork, vpcOfInstance } from './rows.ts'

const named = ({ id, name }: { id: string; name: string }) => ({ id, name })

function toWireRules(rules: readonly Rule[]): Wire.EffectiveFirewallRule[] {
  const never = overruled(rules)
  return rules.map((rule) => {
    const { id, name, priority, action, targets, filters } = rule.row
    return { id, name, priority, action, targets, filters, overruled: never.has(rule) }
  })
}

const toWireInterface = ({ row, subnet, vpc, inbound, outbound }: Interface) => ({
  interface: named(row),
  subnet: named(subnet),
  vpc: named(vpc.row),
  inbound: toWireRules(inbound),
  outbound: toWireRules(outbound),
})

/** The rules that apply to each interface of an instance; the primary one comes first. */
export async function effectiveRules(
  db: Db,
  instanceId: string,
): Promise<Wire.EffectiveFirewallRules> {
  const vpcId = await vpcOfInstance(db, instanceId)
  if (vpcId === undefined) return { interfaces: [] }
  const network = compile(await readNetwork(db, { vpcs: [vpcId] }))
  return { interfaces: network.instances.get(instanceId)?.interfaces.map(toWireInterface) ?? [] }
}
