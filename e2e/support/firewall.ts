/** Firewall rules over the API. */
import type { ApiClient, VpcFirewallRule, VpcFirewallRuleUpdate } from '@steading/api/client'
import { ok } from './seed.ts'

export const RULES = '/projects/mill/vpcs/default/firewall-rules'
const query = { project: 'mill', vpc: 'default' }

export const firewallRule = (
  name: string,
  values: Partial<VpcFirewallRuleUpdate> = {},
): VpcFirewallRuleUpdate => ({
  name,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 100,
  targets: [{ type: 'vpc', value: 'default' }],
  filters: {},
  ...values,
})

export const rulesOf = async (api: ApiClient): Promise<VpcFirewallRule[]> =>
  (await ok(api.vpcFirewallRulesView({ query }))).rules

export const setRules = (api: ApiClient, rules: VpcFirewallRuleUpdate[]) =>
  ok(api.vpcFirewallRulesUpdate({ query, body: { rules } }))

/** Adds rules to the existing ones. */
export async function addRules(api: ApiClient, ...rules: VpcFirewallRuleUpdate[]) {
  const before = await rulesOf(api)
  const kept = before.map(
    ({ id: _id, vpcId: _vpc, timeCreated: _c, timeModified: _m, ...rule }) => rule,
  )
  return setRules(api, [...kept, ...rules])
}
