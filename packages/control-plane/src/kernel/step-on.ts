import type { OperationId } from '@steading/api'
import { step, type StepOfJob } from './job-steps.ts'
import type { Row, StoredName } from './kinds.ts'
import { lookup, type LookupContext } from './lookup.ts'
import type { RequiredActionsOf, Work } from './work.ts'

/**
 * Declares a step that looks its resource up and does the work of an operation with it.
 * @param run the same function that the handler of the operation calls
 */
export const stepOn = <Op extends OperationId, K extends StoredName & keyof RequiredActionsOf<Op>>(
  kind: K,
  operation: Op,
  run: (work: Work<RequiredActionsOf<Op>>, row: Row<K>) => Promise<unknown>,
): StepOfJob =>
  step(operation, async (work, id) => {
    await run(work, await lookup(work as unknown as Work & LookupContext<K>, kind, id))
  })
