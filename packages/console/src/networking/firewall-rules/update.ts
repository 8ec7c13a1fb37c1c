import { entityTagOf } from '@steading/api/client'
import { useMutation } from '@tanstack/react-query'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call as step } from '../../workspace/as-code/steps.ts'
import { call, queryClient, refetchShown } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import { type VpcParams, firewallRulesQuery } from '../vpcs/queries.ts'
import { type Change, changed, type Rules, type RuleUpdate } from './rules.ts'

export const RULES_UPDATE = 'vpcFirewallRulesUpdate'

const argsOf = (params: VpcParams, rules: RuleUpdate[]) => ({ query: params, body: { rules } })

/** The replacement of all rules, as code. */
export const replacementCode = (params: VpcParams, rules: RuleUpdate[]) =>
  asCode(step(RULES_UPDATE, argsOf(params, rules)))

const replace = (params: VpcParams, from: Rules, to: RuleUpdate[]): Promise<Rules> =>
  call(RULES_UPDATE, argsOf(params, to), { ifMatch: entityTagOf(from), expected: [412] })

/** Whether the rules were changed by another request since they were read. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.statusCode === 412

type Replacement = { from: Rules; to: RuleUpdate[] }

/** Replaces the rules, unless another request has changed them since they were read. */
export function useRulesUpdate(params: VpcParams, onSuccess: (sent: RuleUpdate[]) => void) {
  return useMutation<Rules, ApiError, Replacement>({
    mutationFn: ({ from, to }) => replace(params, from, to),
    // Close the form before refetching: the edited rule may have a new name.
    onSuccess: (_, { to }) => onSuccess(to),
    onSettled: refetchShown,
  })
}

/** Number of attempts to apply a change to rules that others keep changing. */
const ATTEMPTS = 5

/**
 * Applies a change that does not depend on other rules. On a conflict, it is applied again to the
 * newest rules.
 */
export async function changeRules(params: VpcParams, change: Change): Promise<void> {
  const query = firewallRulesQuery(params)
  let from = await queryClient.ensureQueryData(query)
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await replace(params, from, changed(from, change))
        return
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error
        from = await queryClient.fetchQuery({ ...query, staleTime: 0 })
      }
    }
  } finally {
    await refetchShown()
  }
}
