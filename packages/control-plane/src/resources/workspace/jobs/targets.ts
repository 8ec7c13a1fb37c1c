import { operationTable, type Wire } from '@steading/api'
import {
  type DiskStateName,
  type InstanceState,
  FLEET_ID,
  isInProject,
  isUuid,
  JOB_ITEMS_MAX,
  type JobTargetKind,
  kindOfOperations,
  kindsAbove,
  type KindName,
  kinds,
  kindsWithinProject,
  nameProblem,
  type RestorableKind,
  type SnapshotStateName,
} from '@steading/api/rules'
import { sql } from 'kysely'
import { may } from '../../../kernel/authz/actor.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Flag } from '../../../kernel/db/schema.ts'
import { fail } from '../../../kernel/errors.ts'
import { inProjects, type Row, storedKind, type StoredName } from '../../../kernel/kinds.ts'
import { parseListQuery } from '../../../kernel/list-query.ts'
import { ifNamed, lookup, requiring } from '../../../kernel/lookup.ts'
import {
  everything,
  everythingIn,
  everywhere,
  listOf,
  matching,
  type Rows,
} from '../../../kernel/lists/matching.ts'

/** A target of a job, with the columns that the rules need. */
export interface Target {
  id: string
  name: string
  /** Of a list that names its silo. */
  silo_id?: string
  run_state?: InstanceState
  state?: DiskStateName | SnapshotStateName
  disk_type?: Wire.DiskType
  read_only?: Flag
  instance_id?: string | null
  kind?: RestorableKind
}

/** Rows per query; other work gets a turn in between. */
const CHUNK = 2_000

const selected = (kind: JobTargetKind) =>
  [
    'id',
    'name',
    ...(isOfAnySilo(kind) ? ['silo_id'] : []),
    ...(storedKind(kind).bulkColumns ?? []),
  ].map((column) => sql.ref(column).as(column))

/** The kind to list: without a project, images are those of the silo. */
const listFor = (kind: JobTargetKind, project: Row<'project'> | undefined) =>
  listOf(kind === 'image' && !project ? 'silo_image' : kind)

type Asking = Pick<Context, 'db' | 'actor'>

/** Whether resources of a kind belong to the fleet, not to a silo. */
const isOfFleet = (kind: JobTargetKind): boolean => kindsAbove(kind)[0] === 'fleet'

/** The owner of a list outside of projects. */
const placeOf = ({ actor }: Asking, kind: JobTargetKind): string =>
  isOfFleet(kind) ? FLEET_ID : actor.siloId

/** Whether a list names its silo, which may be another than the caller's. */
export const isOfAnySilo = (kind: JobTargetKind): boolean =>
  operationTable[listOf(kind).operation].scan!.required.some((name) => name === 'silo')

/** The kind whose row of the permission matrix applies to a list outside of projects. */
function accessOfList(kind: JobTargetKind): KindName {
  if (isOfAnySilo(kind)) return kind
  if (isOfFleet(kind) || kind !== kindOfOperations(kind)) return kind
  return kind === 'image' ? 'silo_image' : 'silo'
}

/** The resources of a kind that can be targets, in the project or the silo. */
function found(asking: Asking, kind: JobTargetKind, project: Row<'project'> | undefined): Rows {
  const list = listFor(kind, project)
  if (isOfAnySilo(kind)) return everywhere(asking.db, list)
  return project && isInProject(kind)
    ? everythingIn(asking.db, list, project.id)
    : everything(asking.db, list, placeOf(asking, kind))
}

async function byIds(
  ctx: Asking,
  kind: JobTargetKind,
  project: Row<'project'> | undefined,
  asked: string[],
): Promise<Target[]> {
  const ids = [...new Set(asked)]
  if (ids.length > JOB_ITEMS_MAX) throw tooMany()
  const { actor } = ctx
  const seen = ({ id, silo_id: siloId = actor.siloId }: Target): boolean =>
    kind === 'project'
      ? may(actor, 'read', 'project', { siloId: actor.siloId, projectId: id })
      : project !== undefined || may(actor, 'read', accessOfList(kind), { siloId })
  const known = new Map<string, Target>()
  for (let start = 0; start < ids.length; start += CHUNK) {
    const rows = await found(ctx, kind, project)
      .select(selected(kind))
      .$castTo<Target>()
      .where('id', 'in', ids.slice(start, start + CHUNK))
      .execute()
    for (const row of rows) if (seen(row)) known.set(row.id, row)
    await yieldToEventLoop()
  }
  return ids.map((id) => {
    const target = known.get(id)
    if (!target) throw fail.notFoundById(kind.replaceAll('_', '-'), id)
    return target
  })
}

const isNameOrId = (text: string | undefined): text is string =>
  text !== undefined && (isUuid(text) || nameProblem(text) === undefined)

/**
 * The id of the owner of a searched list. The query of a list inside of a VPC names it, as in
 * `/x/v1`.
 * @returns also the remaining parameters
 * @throws ApiError 400 if it does not, 404 if the caller cannot see it
 */
async function listIn(
  ctx: Asking,
  kind: JobTargetKind,
  project: Row<'project'> | undefined,
  query: Record<string, string>,
): Promise<{ parentId: string; rest: Record<string, string> }> {
  if (isOfAnySilo(kind)) {
    const { silo, ...others } = query
    if (!isNameOrId(silo)) throw fail.invalidRequest('target: needs the silo of the list')
    const { id: siloId } = await lookup(requiring(ctx, { silo: 'read' }), 'silo', silo)
    if (!may(ctx.actor, 'list', kind, { siloId })) throw fail.forbidden()
    return { parentId: siloId, rest: others }
  }
  const [above] = kindsWithinProject(kind)
  if (!project || !above) return { parentId: project?.id ?? placeOf(ctx, kind), rest: query }
  const { scan } = operationTable[listFor(kind, project).operation]
  const parameter = scan!.required[0] as 'vpc' | 'router'
  const { vpc, [parameter]: selector, ...rest } = query
  if (!isNameOrId(selector) || (vpc !== undefined && !isNameOrId(vpc))) {
    throw fail.invalidRequest(`target: needs the ${parameter} of the list, by name or by ID`)
  }
  const parents = parameter === 'vpc' ? {} : { vpc }
  const row = await lookup(
    requiring(ctx, { [above]: 'list' } as Record<StoredName, 'list'>),
    above as StoredName,
    selector,
    ifNamed(selector, isUuid(vpc ?? '') ? parents : { ...parents, project: project.id }),
  )
  return { parentId: row.id, rest }
}

async function bySearch(
  ctx: Asking,
  kind: JobTargetKind,
  project: Row<'project'> | undefined,
  query: Record<string, string>,
): Promise<Target[]> {
  const list = listFor(kind, project)
  const { parentId, rest } = await listIn(ctx, kind, project, query)
  const scan = parseListQuery(list.operation, rest, 'target', ['sort_by', 'group_by'])
  const { siloId } = ctx.actor
  if (!project && !isOfAnySilo(kind) && !may(ctx.actor, 'list', accessOfList(kind), { siloId })) {
    throw fail.forbidden()
  }
  const targets: Target[] = []
  for (;;) {
    let rows = matching(ctx.db, list, parentId, scan)
    // A target given by id may be in another project than the job.
    if (project) rows = rows.where(inProjects(kind, sql`${project.id}`))
    const last = targets.at(-1)
    // Deleted resources may have equal names.
    if (last) rows = rows.where(sql<boolean>`(name, id) > (${last.name}, ${last.id})`)
    const some = await rows
      .select(selected(kind))
      .$castTo<Target>()
      .orderBy('name')
      .orderBy('id')
      .limit(CHUNK)
      .execute()
    targets.push(...some)
    if (targets.length > JOB_ITEMS_MAX) throw tooMany()
    if (some.length < CHUNK) return targets
    await yieldToEventLoop()
  }
}

export const tooMany = () => fail.invalidRequest(`a job may have at most ${JOB_ITEMS_MAX} items`)

/**
 * Reads the targets of a job: in the order of the given ids, or for a search by name.
 * @throws ApiError 404 for a target that the caller cannot see; 400 for no targets, too many
 *   targets, or a search that the list would refuse
 */
export async function findTargets(
  ctx: Context<'job_create'>,
  project: Row<'project'> | undefined,
): Promise<Target[]> {
  const { kind, target } = ctx.body
  const targets =
    target.type === 'ids'
      ? await byIds(ctx, kind, project, target.ids)
      : await bySearch(ctx, kind, project, target.query)
  if (targets.length === 0) {
    const things = kinds[kind].resource.replaceAll('-', ' ')
    throw fail.invalidRequest(`target: there are no ${things} to act on`)
  }
  return targets
}
