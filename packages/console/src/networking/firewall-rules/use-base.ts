import { useMemo, useState } from 'react'
import { usePrefetchedQuery } from '../../data/api.ts'
import { type VpcParams, firewallRulesQuery } from '../vpcs/queries.ts'
import { type Difference, differenceOf, isDifferent, type Rules } from './rules.ts'

export type Base = {
  /** The rules that the form changes. */
  rules: Rules
  /** Changes by others since then; nothing is sent until the user has seen them. */
  meanwhile: Difference | undefined
  /** Switches to the newest rules and returns them. */
  adopt: () => Rules
}

/**
 * The base of a form's change: the rules at its start, until the user adopts rules changed by
 * others in the meantime.
 */
export function useBase(params: VpcParams): Base {
  const { data: newest } = usePrefetchedQuery(firewallRulesQuery(params))
  const [rules, setRules] = useState(newest)
  const difference = useMemo(() => differenceOf(rules, newest), [rules, newest])
  const differs = isDifferent(difference)
  // The same rules with new IDs.
  if (newest !== rules && !differs) setRules(newest)
  return {
    rules,
    meanwhile: differs ? difference : undefined,
    adopt() {
      setRules(newest)
      return newest
    },
  }
}
