import { type OperationId, operationTable, ParseError, parseQuery, type Wire } from '@steading/api'
import {
  type DiskStateName,
  type InstanceState,
  JOB_ITEMS_MAX,
  type JobTargetKind,
  type SnapshotStateName,
} from '@steading/api/rules'
import { may } from '../../kernel/authz/actor.ts'
import { breathe } from '../../kernel/breathe.ts'
import type { Context } from '../../kernel/context.ts'
import type { Flag } from '../../kernel/db/schema.ts'
import { fail } from '../../kernel/errors.ts'
import { type AnyList, matching } from '../../kernel/lists/list.ts'
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

type Searched = { operation: OperationId; resource: AnyList<never, unknown> }

interface TargetKind extends Searched {
  /** Besides id and name. */
  columns?: (keyof Target)[]
}

/** Where the things of a kind are listed. */
const targetKinds: Record<JobTargetKind, TargetKind> = {
  instance: {
    columns: ['run_state'],
    operation: 'instance_search',
    resource: lists.instances,
  },
  disk: {
    columns: ['state', 'disk_type', 'read_only'],
    operation: 'disk_search',
    resource: lists.disks,
  },
  snapshot: { columns: ['state'], operation: 'snapshot_search', resource: lists.snapshots },
  image: { operation: 'image_search', resource: lists.projectImages },
  floating_ip: {
    columns: ['instance_id'],
    operation: 'floating_ip_search',
    resource: lists.floatingIps,
  },
  affinity_group: { operation: 'affinity_group_search', resource: lists.affinityGroups },
  anti_affinity_group: {
    operation: 'anti_affinity_group_search',
    resource: lists.antiAffinityGroups,
  },
  project: { operation: 'project_search', resource: lists.projects },
}

/** Rows read at once: others get their turn in between. */
const CHUNK = 2_000

const selected = ({ columns = [] }: TargetKind) => ['id', 'name', ...columns] as never[]

/** The things of a kind that may be chosen, of the project or of the silo. */
function found(
  { db, actor }: Context,
  kind: JobTargetKind,
  project: ProjectRow | undefined,
  query: Record<string, unknown> = {},
) {
  const resource = kind === 'image' && !project ? lists.siloImages : targetKinds[kind].resource
  return matching(db, resource, project?.id ?? actor.siloId, query)
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
  const known = new Map<string, Target>()
  for (let start = 0; start < ids.length; start += CHUNK) {
    const rows = (await found(ctx, kind, project)
      .select(selected(targetKinds[kind]))
      .where('id', 'in', ids.slice(start, start + CHUNK))
      .execute()) as Target[]
    for (const row of rows) if (seen(row)) known.set(row.id, row)
    await breathe()
  }
  return ids.map((id) => {
    const target = known.get(id)
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
  const scan = searchOf(targetKinds[kind].operation, query)
  const { siloId } = ctx.actor
  const parent = kind === 'image' ? 'silo_image' : 'silo'
  if (!project && !may(ctx.actor, 'list', parent, { siloId })) throw fail.forbidden()
  const targets: Target[] = []
  for (;;) {
    let rows = found(ctx, kind, project, scan)
    const last = targets.at(-1)
    if (last) rows = rows.where('name', '>', last.name)
    const some = await rows
      .select(selected(targetKinds[kind]))
      .orderBy('name')
      .limit(CHUNK)
      .execute()
    targets.push(...(some as Target[]))
    if (targets.length > JOB_ITEMS_MAX) throw tooMany()
    if (some.length < CHUNK) return targets
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
  const targets =
    target.type === 'ids'
      ? await byIds(ctx, kind, project, target.ids)
      : await bySearch(ctx, kind, project, target.query)
  if (targets.length === 0) throw fail.invalidRequest(`target: there are no ${kind}s to act on`)
  return targets
}
