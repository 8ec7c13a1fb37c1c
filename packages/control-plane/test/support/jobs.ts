/** Jobs: tests create them and wait for them. */
import type { Wire } from '@steading/api'
import { type JobAction, type JobTargetKind } from '@steading/api/rules'
import { expect, vi } from 'vitest'
import type { Caller } from './caller.ts'

export const targets = (...ids: string[]): Wire.JobTarget => ({ type: 'ids', ids })

export const jobBody = (
  action: JobAction,
  kind: JobTargetKind,
  target: Wire.JobTarget,
  project: string | null = kind === 'project' ? null : 'work',
): Wire.JobCreate => ({ action, kind, project, target })

export const plan = (caller: Caller, ...body: Parameters<typeof jobBody>): Promise<Wire.Job> =>
  caller.call('job_create', { body: jobBody(...body) })

export const start = (caller: Caller, { id }: { id: string }): Promise<Wire.Job> =>
  caller.call('job_start', { params: { job: id } })

/** Waits until a job is as expected. */
export const jobIs = (
  caller: Caller,
  { id }: { id: string },
  wanted: { state?: Wire.JobState; counts?: Partial<Wire.JobCounts> },
): Promise<Wire.Job> =>
  vi.waitFor(
    async () => {
      const job = await caller.call('job_view', { params: { job: id } })
      expect(job).toMatchObject(wanted)
      return job
    },
    { timeout: 120_000, interval: 10 },
  )

export const done = (caller: Caller, job: { id: string }): Promise<Wire.Job> =>
  jobIs(caller, job, { state: 'done' })

/** Plans and starts a job, and waits for its end. */
export async function runJob(caller: Caller, ...body: Parameters<typeof jobBody>) {
  const job = await plan(caller, ...body)
  await start(caller, job)
  return done(caller, job)
}

export const itemsOf = async (
  caller: Caller,
  { id }: { id: string },
  query: { state?: string } = {},
): Promise<Wire.JobItem[]> =>
  (await caller.call('job_item_list', { params: { job: id }, query })).items

/** Step, thing and outcome of every item. */
export const outcomes = async (caller: Caller, job: { id: string }) =>
  (await itemsOf(caller, job)).map(
    ({ step, thing, state, reason }) =>
      `${step} ${thing.name}: ${state}${reason === null ? '' : `, ${reason}`}`,
  )
