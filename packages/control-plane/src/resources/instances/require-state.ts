import { instanceRefusal } from '@steading/api/rules'
import { ApiError } from '../../kernel/errors.ts'
import type { InstanceRow } from './view.ts'

/** @throws ApiError unless an action is possible in the state of an instance */
export function requireState(
  action: Parameters<typeof instanceRefusal>[0],
  { run_state }: Pick<InstanceRow, 'run_state'>,
): void {
  const refusal = instanceRefusal(action, run_state)
  if (refusal) throw new ApiError(refusal)
}
