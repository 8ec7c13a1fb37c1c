import { WhatChanges } from '../reachability/what-changes.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import type { RuleUpdate } from './rules.ts'

type Props = {
  params: VpcParams
  /** The whole set that would be saved; undefined while there is none to save. */
  rules: RuleUpdate[] | undefined
}

/** Which connections open and close once rules are saved. */
export const RulesPlan = ({ params, rules }: Props) => (
  <WhatChanges
    change={rules && { query: params, body: { type: 'firewall_rules', update: { rules } } }}
  />
)
