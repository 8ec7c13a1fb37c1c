import { useMemo, useState } from 'react'
import { usePrefetchedQuery } from '../../data/api.ts'
import { type VpcParams, firewallRulesQuery } from '../vpcs/queries.ts'
import { type Difference, differenceOf, isDifferent, type Rules } from './rules.ts'

export type Base = {
  /** The rules that are changed. */
  rules: Rules
  /** What others have changed since; nothing is sent before the user has seen it. */
  meanwhile: Difference | undefined
  /** The change is made to the newest rules from now on, which it returns. */
  adopt: () => Rules
}

/**
 * The rules that a form changes stay those that it began with, until its user says to go on with
 * those that another user has made of them.
 */
export function useBase(params: VpcParams): Base {
  const { data: newest } = usePrefetchedQuery(firewallRulesQuery(params))
  const [rules, setRules] = useState(newest)
  const difference = useMemo(() => differenceOf(rules, newest), [rules, newest])
  const differs = isDifferent(difference)
  // The same rules under other ids.
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
