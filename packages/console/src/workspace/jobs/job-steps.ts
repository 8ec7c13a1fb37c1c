import type { JobCreate } from '@steading/api/client'
import { call, idOf, type Step } from '../as-code/steps.ts'

const PLAN = 'job'

/** A job is planned, and the plan is started. */
export const jobSteps = (request: JobCreate): Step[] => [
  call('jobCreate', { body: request }, { idAs: PLAN }),
  call('jobStart', { path: { job: idOf(PLAN) } }),
]
