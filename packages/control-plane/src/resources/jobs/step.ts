import type { JobStep, JobThingKind } from '@steading/api/rules'

/** One item of a job, as a planner wants it. */
export interface PlannedStep {
  step: JobStep
  thing: { kind: JobThingKind; id: string; name: string }
  /** From zero; a stage begins when all before it have ended. */
  stage: number
  /** Name of what it makes. */
  makes?: string
  /** Why it is not possible as things are now; it is not tried then. */
  refusal?: string
}
