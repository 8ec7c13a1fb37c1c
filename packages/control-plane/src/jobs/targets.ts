import { type OperationId, operationTable, ParseError, parseQuery, type Wire } from '@steading/api'
import {
  type DiskStateName,
  type InstanceState,
  JOB_ITEMS_MAX,
  type JobTargetKind,
  type SnapshotStateName,
} from '@steading/api/rules'
import { may } from '../authz/actor.ts'
import { breathe } from '../breathe.ts'
import type { Context } from '../context.ts'
import type { Database, Flag } from '../db/schema.ts'
import { fail } from '../http/errors.ts'
import { matching } from '../lists/list.ts'
import * as lists from '../lists/resources.ts'
import type { ProjectRow } from '../projects/lookup.ts'

/** What a job shall act on, with the columns that rules look at. */
export interface Target {
  id: string
  name: string
  run_state?: InstanceState
  state?: DiskStateName | SnapshotStateName
  disk_type?: Wire.DiskType
  read_only?: Flag
  instance_id?: string | null
}

interface TargetKind {
  table: keyof Database
  /** Besides id and name. */
  columns?: (keyof Target)[]
  /** Where several kinds share a table. */
  among?: string
  /** Rows are removed when the thing is deleted, instead of being marked. */
  removed?: true
  /** The list of `/x/v1` that finds some, if there is one. */
  list?: { operation: OperationId; resource: Parameters<typeof matching>[1] }
}

const targetKinds: Record<JobTargetKind, TargetKind> = {
  instance: {
    table: 'instance',
    columns: ['run_state'],
    list: { operation: 'instance_search', resource: lists.instances as never },
  },
  disk: {
    table: 'disk',
    columns: ['state', 'disk_type', 'read_only'],
    list: { operation: 'disk_search', resource: lists.disks as never },
  },
  snapshot: { table: 'snapshot', columns: ['state'] },
  image: { table: 'image' },
  floating_ip: {
    table: 'external_ip',
    columns: ['instance_id'],
    among: 'floating',
    removed: true,
  },
  affinity_group: { table: 'affinity_group', among: 'affinity' },
  anti_affinity_group: { table: 'affinity_group', among: 'anti_affinity' },
  project: {
    table: 'project',
    list: { operation: 'project_search', resource: lists.projects as never },
  },
}

/** Rows read at once: others get their turn in between. */
const CHUNK = 2_000

const selected = ({ columns = [] }: TargetKind) => ['id', 'name', ...columns] as never[]

/** The things of a kind that may be chosen: those of the project, or of the silo. */
function within({ db, actor }: Context, kind: JobTargetKind, project: ProjectRow | undefined) {
  const { table, among, removed } = targetKinds[kind]
  let rows = db.selectFrom(table as 'image')
  if (among) rows = rows.where('kind' as 'os', '=', among)
  if (!removed) rows = rows.where('time_deleted', 'is', null)
  if (project) return rows.where('project_id', '=', project.id)
  rows = rows.where('silo_id', '=', actor.siloId)
  return kind === 'image' ? rows.where('project_id', 'is', null) : rows
}

async function byIds(
  ctx: Context,
  kind: JobTargetKind,
  project: ProjectRow | undefined,
  asked: string[],
): Promise<Target[]> {
  const ids = [...new Set(asked.map((id) => id.toLowerCase()))]
  if (ids.length > JOB_ITEMS_MAX) throw tooMany()
  const { actor } = ctx
  const seen = ({ id }: Target): boolean =>
    kind === 'project'
      ? may(actor, 'read', 'project', { siloId: actor.siloId, projectId: id })
      : project !== undefined || may(actor, 'read', 'silo_image', { siloId: actor.siloId })
  const found = new Map<string, Target>()
  for (let start = 0; start < ids.length; start += CHUNK) {
    const rows = (await within(ctx, kind, project)
      .select(selected(targetKinds[kind]))
      .where('id', 'in', ids.slice(start, start + CHUNK))
      .execute()) as Target[]
    for (const row of rows) if (seen(row)) found.set(row.id, row)
    await breathe()
  }
  return ids.map((id) => {
    const target = found.get(id)
    if (!target) throw fail.notFoundById(kind.replaceAll('_', '-'), id)
    return target
  })
}

/** Parameters of a list that say how it is shown, and where, which a job has a field of its own for. */
const elsewhere: ReadonlySet<string> = new Set(['limit', 'page_token', 'sort_by', 'project'])

/** Query parameters that say which rows a list is about, not how they are shown. */
function searchOf(operation: OperationId, query: Record<string, string>): Record<string, unknown> {
  const fields = Object.fromEntries(
    Object.entries(operationTable[operation].query!).filter(([name]) => !elsewhere.has(name)),
  )
  const unknown = Object.keys(query).find((parameter) => !(parameter in fields))
  if (unknown !== undefined) {
    const known = Object.keys(fields).map((name) => `\`${name}\``)
    throw fail.invalidRequest(
      `target: unknown query parameter \`${unknown}\`, expected one of ${known.join(', ')}`,
    )
  }
  try {
    return parseQuery(fields, new URLSearchParams(query))
  } catch (error) {
    throw error instanceof ParseError ? fail.badRequest(error.message) : error
  }
}

async function bySearch(
  ctx: Context,
  kind: JobTargetKind,
  project: ProjectRow | undefined,
  query: Record<string, string>,
): Promise<Target[]> {
  const { list } = targetKinds[kind]
  if (!list) throw fail.invalidRequest(`target: there is no list that searches ${kind}s`)
  const scan = searchOf(list.operation, query)
  const { siloId } = ctx.actor
  if (!project && !may(ctx.actor, 'list', 'silo', { siloId })) throw fail.forbidden()
  const found: Target[] = []
  for (;;) {
    let rows = matching(ctx.db, list.resource, project?.id ?? siloId, scan)
    const last = found.at(-1)
    if (last) rows = rows.where('name', '>', last.name)
    const some = await rows
      .select(selected(targetKinds[kind]))
      .orderBy('name')
      .limit(CHUNK)
      .execute()
    found.push(...(some as Target[]))
    if (found.length > JOB_ITEMS_MAX) throw tooMany()
    if (some.length < CHUNK) return found
    await breathe()
  }
}

export const tooMany = () => fail.invalidRequest(`a job may have at most ${JOB_ITEMS_MAX} items`)

/**
 * The things a job is asked to act on, as they are now: in the order of their ids as given, or by
 * name.
 * @throws ApiError 404 for what the caller cannot see, 400 for none, for too many, and for a search
 *   that its list would refuse
 */
export async function findTargets(
  ctx: Context<'job_create'>,
  project: ProjectRow | undefined,
): Promise<Target[]> {
  const { kind, target } = ctx.body
  const found =
    target.type === 'ids'
      ? await byIds(ctx, kind, project, target.ids)
      : await bySearch(ctx, kind, project, target.query)
  if (found.length === 0) throw fail.invalidRequest(`target: there are no ${kind}s to act on`)
  return found
}
