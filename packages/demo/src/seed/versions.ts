/** Versions of the firewall rules of the shop: an experiment with a mistake, and its end. */
import type { ApiClient, VpcFirewallRuleUpdate } from '@steading/api/client'
import { type Cloud, must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const query = { project: 'storefront', vpc: 'shop' }

/** Changes the rules by name, or removes them. */
async function changeRules(
  api: ApiClient,
  reason: string,
  change: (rules: VpcFirewallRuleUpdate[]) => VpcFirewallRuleUpdate[],
): Promise<void> {
  const { rules } = must(await api.vpcFirewallRulesView({ query }))
  const body = { rules: change(rules) }
  must(await api.vpcFirewallRulesUpdate({ query, body }, { reason }))
}

const METRICS: VpcFirewallRuleUpdate = {
  name: 'metrics',
  description: 'Exporters of the front ends',
  action: 'allow',
  direction: 'inbound',
  status: 'enabled',
  priority: 65_534,
  targets: [{ type: 'subnet', value: 'public' }],
  filters: { hosts: null, ports: ['9100'], protocols: [{ type: 'tcp' }] },
}

export const versionMoments: Moment[] = [
  {
    daysAgo: 12,
    happen: ({ api }: Cloud) =>
      changeRules(api, 'The new dashboards read the exporters', (rules) => [...rules, METRICS]),
  },
  {
    daysAgo: 11,
    happen: ({ api }: Cloud) =>
      changeRules(api, 'Exporters were open to the internet (SEC-214)', (rules) =>
        rules.map((rule) =>
          rule.name === METRICS.name
            ? {
                ...rule,
                filters: { ...rule.filters, hosts: [{ type: 'subnet', value: 'private' }] },
              }
            : rule,
        ),
      ),
  },
  {
    daysAgo: 2,
    happen: ({ api }: Cloud) =>
      changeRules(api, 'Metrics are pushed now', (rules) =>
        rules.filter(({ name }) => name !== METRICS.name),
      ),
  },
]
