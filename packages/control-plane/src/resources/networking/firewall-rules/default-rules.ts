import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { ruleFilters, ruleTargets } from './table.ts'

/** Default rules of a new VPC: inbound from inside, SSH and ICMP. */
function defaultRules(vpcName: string) {
  const target = { type: 'vpc', value: vpcName } as const
  const rule = (name: string, description: string, filters: Wire.VpcFirewallRuleFilter) => ({
    name,
    description,
    filters: ruleFilters.write(filters),
    targets: ruleTargets.write([target]),
  })
  return [
    rule(
      'allow-internal-inbound',
      'allow inbound traffic to all instances within the VPC if originated within the VPC',
      { hosts: [target], protocols: null, ports: null },
    ),
    rule('allow-ssh', 'allow inbound TCP connections on port 22 from anywhere', {
      hosts: null,
      protocols: [{ type: 'tcp' }],
      ports: ['22'],
    }),
    rule('allow-icmp', 'allow inbound ICMP traffic from anywhere', {
      hosts: null,
      protocols: [{ type: 'icmp', value: null }],
      ports: null,
    }),
  ]
}

/** Creates the default rules of a new VPC (control plane 8.1). */
export async function createDefaultRules(
  { db, now }: Pick<Writing, 'db' | 'now'>,
  vpc: Pick<Row<'vpc'>, 'id' | 'name'>,
): Promise<void> {
  const time = now.toISOString()
  const rows = defaultRules(vpc.name).map((rule) => ({
    ...rule,
    id: crypto.randomUUID(),
    time_created: time,
    time_modified: time,
    time_deleted: null,
    vpc_id: vpc.id,
    status: 'enabled' as const,
    direction: 'inbound' as const,
    action: 'allow' as const,
    priority: 65534,
  }))
  await db.insertInto('vpc_firewall_rule').values(rows).execute()
}
