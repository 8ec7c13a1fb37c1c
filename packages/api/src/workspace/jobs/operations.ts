import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { JOB_BODY_MAX, jobItemStates } from './rules.ts'
import { commaSeparated, list, record, type Schema, string, uuid } from '../../schema.ts'
import { Job, JobCreate, JobItem } from './schemas.ts'

const tags = ['extensions']
const params = { job: uuid }

const page = (item: string, items: Schema) =>
  record(`${item}ResultsPage`, { items: list(items), next_page: string.nullable().optional() })

/** A job is visible only to the user who created it. */
export const jobOperations = {
  job_create: {
    method: 'POST',
    path: '/x/v1/jobs',
    tags,
    summary: 'Plan a job: preview its items and refusals without starting it',
    permission: 'session',
    evenIfLimited: true,
    body: JobCreate,
    maxBody: JOB_BODY_MAX,
    transaction: 'own',
    evenIfFull: true,
    actsLater: 'mandate',
    success: { status: 201, schema: Job },
  },
  job_list: {
    method: 'GET',
    path: '/x/v1/jobs',
    tags,
    summary: "List the caller's jobs, without plans",
    permission: 'session',
    evenIfLimited: true,
    ...paged({ kind: 'Job', columns: ['time_created'] }),
    success: { status: 200, schema: page('Job', Job) },
  },
  job_view: {
    method: 'GET',
    path: '/x/v1/jobs/{job}',
    tags,
    summary: 'Show a job and its progress',
    permission: 'session',
    evenIfLimited: true,
    params,
    success: { status: 200, schema: Job },
  },
  job_item_list: {
    method: 'GET',
    path: '/x/v1/jobs/{job}/items',
    tags,
    summary: 'List the items of a job',
    permission: 'session',
    evenIfLimited: true,
    params,
    ...paged(
      { kind: 'JobItem', columns: ['position'] },
      { state: commaSeparated(jobItemStates).optional() },
    ),
    success: { status: 200, schema: page('JobItem', JobItem) },
  },
  job_start: {
    method: 'POST',
    path: '/x/v1/jobs/{job}/start',
    tags,
    summary: 'Do what was planned',
    permission: 'session',
    evenIfLimited: true,
    params,
    evenIfFull: true,
    actsLater: 'mandate',
    success: { status: 202, schema: Job },
  },
  job_cancel: {
    method: 'POST',
    path: '/x/v1/jobs/{job}/cancel',
    tags,
    summary: 'Cancel the items that have not started',
    permission: 'session',
    evenIfLimited: true,
    params,
    evenIfFull: true,
    success: { status: 202, schema: Job },
  },
  job_retry: {
    method: 'POST',
    path: '/x/v1/jobs/{job}/retry',
    tags,
    summary: 'Retry the failed and cancelled items',
    permission: 'session',
    evenIfLimited: true,
    params,
    evenIfFull: true,
    actsLater: 'mandate',
    success: { status: 202, schema: Job },
  },
  job_delete: {
    method: 'DELETE',
    path: '/x/v1/jobs/{job}',
    tags,
    summary: 'Delete a plan, or a job that is done',
    permission: 'session',
    evenIfLimited: true,
    params,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
