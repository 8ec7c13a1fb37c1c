import { operationTable, type OperationId } from '@steading/api'
import type { Action, JobStep, JobThingKind, KindName } from '@steading/api/rules'
import type { NeedsOf, Work } from './work.ts'

/** What a step of a job is about, besides the thing itself. */
export interface StepArgs {
  /** Name of what it makes. */
  makes: string | null
}

/** One step of a job: the same function that the handler of its operation calls. */
export interface StepOfJob {
  operation: OperationId
  /** What the operation needs of which kinds. */
  needs: Readonly<Partial<Record<KindName, Action>>>
  /** @returns the id of what it made, if it made something */
  run: (work: Work, thingId: string, args: StepArgs) => Promise<string | void>
}

export type Steps = Partial<Record<JobStep, StepOfJob>>

/**
 * A step that does what an operation does, with the permission of that operation.
 * @param run may look up what the operation may look up, and nothing else
 */
export const step = <Op extends OperationId>(
  operation: Op,
  run: (work: Work<NeedsOf<Op>>, thingId: string, args: StepArgs) => Promise<string | void>,
): StepOfJob => ({
  operation,
  needs: operationTable[operation].permission as StepOfJob['needs'],
  run: run as StepOfJob['run'],
})

/** One item of a job, as a planner wants it. */
export interface PlannedStep {
  step: JobStep
  thing: { kind: JobThingKind; id: string; name: string }
  /** From zero; a stage begins when all before it have ended. */
  stage: number
  /** Name of what it makes. */
  makes?: string
  /** The deletion of this thing has to succeed before; if it fails, this one is spared. */
  needs?: string
  /** Why it is not possible as things are now; it is not tried then. */
  refusal?: string
}
