import {
  bulkCan,
  cascadesTo,
  holdsData,
  isInProject,
  JOB_ITEMS_MAX,
  type JobItemState,
  jobMessages,
  type JobState,
} from '@steading/api/rules'
import type { tables } from '@steading/api'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup, lookupOwn, requiring } from '../../../kernel/lookup.ts'
import { type Page, type ResultsPage, tokenAfter } from '../../../kernel/paging.ts'
import type { PlannedStep } from '../../../kernel/job-steps.ts'
import { writingIn, type Work } from '../../../kernel/work.ts'
import { mandateOf } from '../../identity/access-tokens/mandate.ts'
import { requireChanges } from '../tags/change.ts'
import { changeJob, jobChanged } from './change.ts'
import { changeItems, itemChanges, storeItems } from './items.ts'
import { planSteps } from './plan.ts'
import { findTargets, tooMany } from './targets.ts'
import {
  countItems,
  countsOf,
  type JobItemRow,
  type JobRow,
  toWireItem,
  toWireJob,
} from './wire.ts'
import { jobCounts, jobTags } from './table.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { changeRow } from '../../../kernel/db/rows.ts'

type Asking = Pick<Context, 'db' | 'actor'>

async function lookupJob(ctx: Asking & { params: { job: string } }): Promise<JobRow> {
  const job = await lookupOwn(ctx, 'job', ctx.params.job)
  const { tokenId } = ctx.actor
  // A token with limits sees only the jobs that were made with it.
  if (tokenId !== undefined && job.token_id !== tokenId) throw fail.notFoundById('job', job.id)
  return job
}

function requireState({ state }: JobRow, wanted: readonly JobState[], verb: string): void {
  if (!wanted.includes(state)) throw fail.conflict(jobMessages.notIn(verb, state))
}

/** Starts a job. */
async function run(
  work: Work,
  job: JobRow,
  values: Partial<Pick<JobRow, 'intent' | 'time_started'>>,
) {
  const now = work.now.toISOString()
  const running = await changeJob(work, job, {
    ...values,
    state: 'running',
    counts: null,
    time_finished: null,
    reconcile_at: now,
  })
  work.afterCommit(async () => work.services.reconciler.wake('job'))
  return toWireJob(work.db, running)
}

/** Prepares the first items at once; the runner prepares the rest. */
async function prepare(work: Work, job: JobRow, intent: 'cancel' | 'retry') {
  const all = await changeItems(work.db, job.id, itemChanges[intent], work.now)
  return run(work, job, { intent: all ? null : intent })
}

/** The number of resources with data that a plan deletes. */
const destroyed = (steps: PlannedStep[]): number =>
  steps.filter(
    ({ step, thing, refusal }) =>
      step === 'delete' && refusal === undefined && holdsData(thing.kind),
  ).length

/** The project of a job, if resources of its kind are in projects. */
async function projectOf(ctx: Context<'job_create'>): Promise<Row<'project'> | undefined> {
  const { kind, project } = ctx.body
  if (!isInProject(kind)) {
    if (project) throw fail.invalidRequest(`project: not for a job about ${kind}s`)
    return undefined
  }
  if (project) return lookup(requiring(ctx, { project: 'read' }), 'project', project)
  if (kind === 'image') return undefined
  throw fail.invalidRequest(`project: needed for a job about ${kind}s`)
}

/**
 * A page of items by position. If several states are requested, each is read from its own part of
 * the index.
 */
async function itemPage(
  { db, page }: Pick<Work, 'db'> & { page: Page },
  jobId: string,
  states: JobItemState[] | undefined,
): Promise<JobItemRow[]> {
  const descending = page.sortBy.endsWith('_descending')
  let items = db
    .selectFrom('job_item')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('position', descending ? 'desc' : 'asc')
    .limit(page.limit)
  if (page.lastSeen !== undefined) {
    const last = Number(page.lastSeen)
    if (!Number.isSafeInteger(last)) throw fail.badRequest('invalid pagination marker')
    items = items.where('position', descending ? '<' : '>', last)
  }
  if (!states) return items.execute()
  const pages = await Promise.all(
    [...new Set(states)].map((state) => items.where('state', '=', state).execute()),
  )
  const order = descending ? -1 : 1
  return pages
    .flat()
    .toSorted((a, b) => order * (a.position - b.position))
    .slice(0, page.limit)
}

const pageAfter = <Item>(
  { page }: { page: Page },
  items: Item[],
  last: { last_seen: string; last_id: string } | undefined,
): ResultsPage<Item> => ({ items, next_page: last ? tokenAfter(page, last) : null })

export const jobHandlers: Handlers<typeof tables.jobOperations> = {
  async job_create(ctx) {
    const { action, kind, chain, with: also, tags } = ctx.body
    if (!bulkCan(kind, action)) throw fail.invalidRequest(`action: ${kind}s have no ${action}`)
    const { onlyTo, neededTo } = jobMessages
    if (action !== 'delete' && chain) throw fail.invalidRequest(onlyTo('chain', 'delete'))
    if (action !== 'delete' && also?.length) throw fail.invalidRequest(onlyTo('with', 'delete'))
    if (action !== 'tag' && tags) throw fail.invalidRequest(onlyTo('tags', 'tag'))
    if (action === 'tag' && !tags) throw fail.invalidRequest(neededTo('tags', 'tag'))
    if (tags) requireChanges(tags)
    const other = also?.find((one) => !cascadesTo(kind, one))
    if (other) throw fail.invalidRequest(`with: ${other}s cannot go along with ${kind}s`)
    const project = await projectOf(ctx)
    const targets = await findTargets(ctx, project)
    const steps = await planSteps(ctx, project, targets)
    if (steps.length > JOB_ITEMS_MAX) throw tooMany()
    const time = ctx.now.toISOString()
    const [only] = targets.length === 1 ? targets : []
    const job: JobRow = {
      id: crypto.randomUUID(),
      ...mandateOf(ctx.actor),
      tags: tags ? jobTags.write(tags) : null,
      action,
      kind,
      targets: targets.length,
      name: only?.name ?? null,
      inside: steps.find(({ thing }) => thing.id === only?.id)?.thing.inside ?? '',
      project_id: project?.id ?? null,
      project_name: project?.name ?? null,
      state: 'planned',
      destroys: destroyed(steps),
      intent: null,
      counts: null,
      time_told: time,
      untold: 0,
      time_created: time,
      time_started: null,
      time_finished: null,
      time_deleted: null,
      reconcile_at: null,
      ...unclaimed,
    }
    // The client does not know the job yet. If the process dies here, the job is removed with other
    // plans that were never started.
    await ctx.db.insertInto('job').values(job).execute()
    await storeItems(ctx.db, job.id, steps)
    const counts = jobCounts.write(await countItems(ctx.db, job.id))
    await ctx.services.database.transaction(async (tx) => {
      await changeRow(tx, 'job', job.id, { counts })
      await jobChanged(writingIn(tx, ctx.now, ctx.actor, ctx.audit), job, 'create')
    })
    return toWireJob(ctx.db, { ...job, counts })
  },

  async job_list(ctx) {
    const { page, db } = ctx
    const descending = page.sortBy.endsWith('_descending')
    let jobs = db
      .selectFrom('job')
      .selectAll()
      .where('user_id', '=', ctx.actor.userId)
      .where('time_started', 'is not', null)
      .where('time_deleted', 'is', null)
      .orderBy('time_created', descending ? 'desc' : 'asc')
      .orderBy('id', descending ? 'desc' : 'asc')
      .limit(page.limit)
    const { tokenId } = ctx.actor
    if (tokenId !== undefined) jobs = jobs.where('token_id', '=', tokenId)
    if (page.lastSeen !== undefined) {
      const { lastSeen, lastId } = page
      jobs = jobs.where((eb) =>
        eb(eb.refTuple('time_created', 'id'), descending ? '<' : '>', eb.tuple(lastSeen, lastId!)),
      )
    }
    const rows = await jobs.execute()
    const last = rows.at(-1)
    return pageAfter(
      ctx,
      await Promise.all(rows.map((row) => toWireJob(db, row))),
      last && { last_seen: last.time_created, last_id: last.id },
    )
  },

  job_view: async (ctx) => toWireJob(ctx.db, await lookupJob(ctx)),

  async job_item_list(ctx) {
    const job = await lookupJob(ctx)
    const states = ctx.query.state?.split(',') as JobItemState[] | undefined
    const rows = await itemPage(ctx, job.id, states)
    const last = rows.at(-1)
    return pageAfter(
      ctx,
      rows.map(toWireItem),
      // Positions are unique in a job. The token also needs the id of a row, for which the job's id
      // serves.
      last && { last_seen: String(last.position), last_id: job.id },
    )
  },

  async job_start(ctx) {
    const job = await lookupJob(ctx)
    requireState(job, ['planned'], 'started')
    const { waiting } = await countsOf(ctx.db, job)
    if (waiting === 0) throw fail.invalidRequest(jobMessages.nothingToDo)
    return run(ctx, job, { time_started: ctx.now.toISOString() })
  },

  async job_cancel(ctx) {
    const job = await lookupJob(ctx)
    requireState(job, ['running'], 'cancelled')
    return prepare(ctx, job, 'cancel')
  },

  async job_retry(ctx) {
    const job = await lookupJob(ctx)
    requireState(job, ['done'], 'retried')
    const { failed, cancelled } = await countsOf(ctx.db, job)
    if (failed + cancelled === 0) throw fail.invalidRequest(jobMessages.nothingToRetry)
    return prepare(ctx, job, 'retry')
  },

  async job_delete(ctx) {
    const job = await lookupJob(ctx)
    requireState(job, ['planned', 'done'], 'deleted')
    const time = ctx.now.toISOString()
    await changeJob(ctx, job, { time_deleted: time, reconcile_at: time }, 'delete')
    ctx.afterCommit(async () => ctx.services.reconciler.wake('job'))
  },
}
