import type { JobCreate } from '@steading/api/client'
import { asCode } from '../as-code/as-code.tsx'
import { call, idOf } from '../as-code/steps.ts'

const PLAN = 'job'

/** A job as code: it is planned, and the plan is started. */
export const jobCode = (request: JobCreate) => () =>
  asCode(
    { ...call('jobCreate', { body: request }), idAs: PLAN },
    call('jobStart', { path: { job: idOf(PLAN) } }),
  )
