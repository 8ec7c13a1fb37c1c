import { JOB_BODY_MAX, jobItemStates } from './rules.ts'
import { commaSeparated, uuid } from '../../schema.ts'
import { Job, JobCreate, JobItem } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** A job is visible only to the user who created it. */
export const jobOperations = usual('job', {
  item: Job,
  path: '/x/v1/jobs/{job}',
  params: { job: uuid },
  permission: 'session',
  evenIfLimited: true,
})({
  job_create: {
    summary: 'Plan a job: preview its items and refusals without starting it',
    body: JobCreate,
    maxBody: JOB_BODY_MAX,
    transaction: 'own',
    evenIfFull: true,
    actsLater: 'mandate',
  },
  job_list: {
    summary: "List the caller's jobs, without plans",
    sort: { kind: 'Job', columns: ['time_created'] },
  },
  job_view: { summary: 'Show a job and its progress' },
  job_item_list: {
    route: 'GET items',
    summary: 'List the items of a job',
    query: { state: commaSeparated(jobItemStates).optional() },
    pages: JobItem,
    sort: { kind: 'JobItem', columns: ['position'] },
  },
  job_start: { summary: 'Do what was planned', evenIfFull: true, actsLater: 'mandate' },
  job_cancel: { summary: 'Cancel the items that have not started', evenIfFull: true },
  job_retry: {
    summary: 'Retry the failed and cancelled items',
    evenIfFull: true,
    actsLater: 'mandate',
  },
  job_delete: { summary: 'Delete a plan, or a job that is done' },
})
