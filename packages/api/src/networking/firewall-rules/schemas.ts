import { ip, IpNet } from '../../network.ts'
import {
  FIREWALL_PARTS_MAX,
  FIREWALL_RULES_MAX,
  normalRange,
  type ParsedRange,
  parseIcmpCodes,
  parsePortRange,
} from './rules.ts'
import { firewallActions, firewallDirections, firewallStatuses } from './values.ts'
import {
  description,
  identity,
  list,
  Name,
  named,
  oneOf,
  record,
  ruledArray,
  type Schema,
  tagged,
  text,
  uint16,
  uint8,
  uuid,
} from '../../schema.ts'
import { changed } from '../../versions.ts'
import { icmp6Change, protocolChange } from './upgrade.ts'

export const Action = named('VpcFirewallRuleAction', oneOf(...firewallActions))
export const Direction = named('VpcFirewallRuleDirection', oneOf(...firewallDirections))
const Status = named('VpcFirewallRuleStatus', oneOf(...firewallStatuses))

const hostVariants = {
  vpc: { value: Name },
  subnet: { value: Name },
  instance: { value: Name },
  ip: { value: ip },
  ip_net: { value: IpNet },
}
export const Target = named('VpcFirewallRuleTarget', tagged('type', hostVariants))
const HostFilter = named('VpcFirewallRuleHostFilter', tagged('type', hostVariants))

/** A number or a range of numbers, stored in canonical spelling. */
function range(digits: number, parse: (text: string) => ParsedRange) {
  const form = {
    pattern: `^[0-9]{1,${digits}}(-[0-9]{1,${digits}})?$`,
    minLength: 1,
  }
  const problem = (value: string) => {
    const parsed = parse(value)
    return 'problem' in parsed ? parsed.problem : undefined
  }
  return text(2 * digits + 1, form, problem, (value) => normalRange(parse, value))
}
const L4PortRange = named('L4PortRange', range(5, parsePortRange))
const IcmpParamRange = named('IcmpParamRange', range(3, parseIcmpCodes))

const IcmpFilter = record('VpcFirewallIcmpFilter', {
  icmp_type: uint8,
  code: IcmpParamRange.nullable().optional(),
})
const Protocol = changed(
  named(
    'VpcFirewallRuleProtocol',
    tagged('type', {
      tcp: {},
      udp: {},
      icmp: { value: IcmpFilter.nullable() },
      icmp6: { value: IcmpFilter.nullable() },
    }),
  ),
  protocolChange,
  icmp6Change,
)

const filtersOf = (items: Schema) => ruledArray(items, FIREWALL_PARTS_MAX).nullable().optional()
export const Filter = record('VpcFirewallRuleFilter', {
  hosts: filtersOf(HostFilter),
  ports: filtersOf(L4PortRange),
  protocols: filtersOf(Protocol),
})

const rule = {
  action: Action,
  direction: Direction,
  filters: Filter,
  priority: uint16,
  status: Status,
}

const VpcFirewallRule = record('VpcFirewallRule', {
  ...identity,
  ...rule,
  targets: list(Target),
  vpc_id: uuid,
})
export const VpcFirewallRules = record('VpcFirewallRules', { rules: list(VpcFirewallRule) })

const VpcFirewallRuleUpdate = record('VpcFirewallRuleUpdate', {
  ...rule,
  name: Name,
  description,
  targets: ruledArray(Target, FIREWALL_PARTS_MAX),
})
export const VpcFirewallRuleUpdateParams = record('VpcFirewallRuleUpdateParams', {
  rules: ruledArray(VpcFirewallRuleUpdate, FIREWALL_RULES_MAX).default([]),
})
