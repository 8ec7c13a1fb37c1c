import { ConnectionChanges } from '../reachability/connection-changes.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import type { RuleUpdate } from './rules.ts'

type Props = {
  params: VpcParams
  /** The complete set of rules to save; undefined while there is none. */
  rules: RuleUpdate[] | undefined
}

/** Connections that open and close once the rules are saved. */
export const RulesPlan = ({ params, rules }: Props) => (
  <ConnectionChanges
    change={rules && { query: params, body: { type: 'firewall_rules', update: { rules } } }}
  />
)
