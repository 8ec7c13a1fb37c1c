import type { Probes } from './probe.ts'
import { ids, parents } from './world.ts'

export const firewallRulesProbes = {
  vpc_firewall_rules_view: {
    'by name': { args: () => ({ query: { ...parents, vpc: 'default' } }) },
    'by id': { args: () => ({ query: { vpc: ids.vpc } }) },
  },
  vpc_firewall_rules_update: {
    args: () => ({ query: { ...parents, vpc: 'default' }, body: { rules: [] } }),
  },
} satisfies Partial<Probes>
