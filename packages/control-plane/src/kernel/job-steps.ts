import { operationTable, type OperationId, type Wire } from '@steading/api'
import type { Action, JobStep, JobResourceKind, KindName } from '@steading/api/rules'
import type { RequiredActionsOf, Work } from './work.ts'

/** The arguments of a step of a job besides the resource itself. */
export interface StepArgs {
  /** Name of the resource to create. */
  makes: string | null
  /** Change of the resource's tags; null for steps other than `tag`. */
  tags: Wire.TagsChange | null
}

/** One step of a job: the same function that the handler of its operation calls. */
export interface StepOfJob {
  operation: OperationId
  /** The action that the operation needs for each kind. */
  requiredActions: Readonly<Partial<Record<KindName, Action>>>
  /** @returns the id of the created resource, if any */
  run: (work: Work, resourceId: string, args: StepArgs) => Promise<string | void>
}

export type JobSteps = Partial<Record<JobStep, StepOfJob>>

/**
 * Declares a step that does the work of an operation, with the permission of that operation.
 * @param run the work; it may look up only the kinds that the operation declares
 */
export const step = <Op extends OperationId>(
  operation: Op,
  run: (
    work: Work<RequiredActionsOf<Op>>,
    resourceId: string,
    args: StepArgs,
  ) => Promise<string | void>,
): StepOfJob => ({
  operation,
  requiredActions: operationTable[operation].permission as StepOfJob['requiredActions'],
  run: run as StepOfJob['run'],
})

export interface StepTarget {
  kind: JobResourceKind
  id: string
  name: string
  /** The names of its containers, as `insideColumn` gives them. */
  inside?: string
}

/** One item of a job, as a planner returns it. */
export interface PlannedStep {
  step: JobStep
  thing: StepTarget
  /** From zero; a stage begins when all items of earlier stages have ended. */
  stage: number
  /** Name of the resource to create. */
  makes?: string
  /** The deletion of this resource has to succeed first; if it fails, this step is skipped. */
  dependsOn?: string
  /** The reason why the step is not possible at present; the job does not try it. */
  refusal?: string
}
