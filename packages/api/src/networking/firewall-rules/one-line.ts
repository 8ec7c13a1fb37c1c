/** Rules that are written in one line: “Allow SSH from 203.0.113.7 to web-1”. */
import { NAME_MAX } from '../../rules/names.ts'
import { DEFAULT_RULE_PRIORITY, FIREWALL_RULES_MAX } from './rules.ts'
import type { SpokenHost, SpokenProtocol } from './sentences.ts'
import type { Service } from './services.ts'
import type { FirewallDirection } from './values.ts'

/** Distance of a new rule to the last one, which leaves room between them. */
const STEP = 10
/** Priority of the first rule of a direction. */
const FIRST = 100

interface PlacedRule {
  name: string
  priority: number
  direction: FirewallDirection
}

/** The priority of a new rule, and the rule that it follows; no priority if none is left. */
export interface Place {
  priority: number | undefined
  after: string | undefined
}

/** Told when no priority is left after the last rule. */
export const NO_PRIORITY_LEFT =
  'No priority is left after the last rule. Use “Change order” to make room, or choose a priority under “More options”.'

/**
 * The priority after the last rule of a direction. Rules that came with the VPC, and any with their
 * priority or a higher one, stay behind.
 */
export function placeAfterLast(rules: readonly PlacedRule[], direction: FirewallDirection): Place {
  let last: PlacedRule | undefined
  for (const rule of rules) {
    if (rule.direction !== direction || rule.priority >= DEFAULT_RULE_PRIORITY) continue
    if (!last || rule.priority >= last.priority) last = rule
  }
  if (!last) return { priority: FIRST, after: undefined }
  const most = DEFAULT_RULE_PRIORITY - 1
  return {
    priority: last.priority < most ? Math.min(last.priority + STEP, most) : undefined,
    after: last.name,
  }
}

/** The part of a generated name for a source or a target. */
const slugOf = ({ value }: SpokenHost): string =>
  value
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** A name for a new rule: `allow-ssh-from-public-to-web-1`, with a number if it is taken. */
export function generatedRuleName(
  service: Service,
  source: SpokenHost | null,
  target: SpokenHost,
  taken: ReadonlySet<string>,
): string {
  const from = source ? slugOf(source) || 'any' : 'anywhere'
  const whole = `allow-${service.slug}-from-${from}-to-${slugOf(target)}`
  const fit = (suffix: string) =>
    `${whole.slice(0, NAME_MAX - suffix.length).replace(/-+$/, '')}${suffix}`
  // At most as many as a VPC has rules.
  for (let number = 1; number <= FIREWALL_RULES_MAX; number++) {
    const name = fit(number === 1 ? '' : `-${number}`)
    if (!taken.has(name)) return name
  }
  return fit('-new')
}

/** Input of the editor in one line; no source stands for anywhere. */
export interface OneLine {
  service: Service
  source: SpokenHost | null
  target: SpokenHost
}

/** The parts of the rule that {@link OneLine} says, without name and priority. */
export const ruleOfOneLine = ({ service, source, target }: OneLine) => ({
  action: 'allow' as const,
  direction: 'inbound' as const,
  status: 'enabled' as const,
  targets: [target],
  filters: {
    hosts: source ? [source] : [],
    ports: [...service.ports],
    protocols: service.protocols.map((protocol): SpokenProtocol => ({ ...protocol })),
  },
})
