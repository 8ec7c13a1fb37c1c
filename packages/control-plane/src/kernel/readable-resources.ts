/** Resources of any kind, each only if the caller may read it. */
import { type KindName, kindsAround, kindTable, type ListedKind } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { type Actor, may, ownsAs } from './authz/actor.ts'
import { anyTable } from './db/any-table.ts'
import type { Db } from './db/database.ts'
import { fail } from './errors.ts'
import { anyRowsOf, ownerColumn, parentColumn, storedKind } from './kinds.ts'

/**
 * A row of a resource of a listed kind; `owner` is the id of its project, silo, user or the fleet.
 */
export interface ResourceRow {
  kind: ListedKind
  id: string
  name: string
  owner: string
}

type Project = { id: string; name: string; silo_id: string }

function mayRead(actor: Actor, { kind, id, owner }: ResourceRow, project: Project | undefined) {
  if (kind === 'project') {
    return may(actor, 'read', 'project', { siloId: owner, projectId: id })
  }
  const above = kindTable[kind].parent
  if (above === 'fleet') return may(actor, 'read', kind, {})
  if (above === 'silo_user') return ownsAs(actor, owner)
  if (above === 'silo') return may(actor, 'read', kind, { siloId: owner })
  return (
    project !== undefined &&
    may(actor, 'read', kind, { siloId: project.silo_id, projectId: project.id })
  )
}

type Above = Wire.ContainerReference

/** Id → the containers in the addresses of resources of a kind (`kindsAround`), outermost first. */
async function aboveOf(db: Db, kind: KindName, ids: string[]): Promise<Map<string, Above[]>> {
  const [parent] = kindsAround(kind)
  if (!parent || ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(anyTable(storedKind(kind).table).as('its'))
    .innerJoin(anyTable(storedKind(parent).table).as('above'), (join) =>
      join.onRef('above.id', '=', `its.${parentColumn(kind)}`),
    )
    .select(['its.id', 'above.id as parent', 'above.name'])
    .where('its.id', 'in', ids)
    .execute()
  const further = await aboveOf(
    db,
    parent,
    rows.map((row) => row.parent),
  )
  return new Map(
    rows.map(({ id, parent: aboveId, name }) => [
      id,
      [...(further.get(aboveId) ?? []), { kind: parent as Above['kind'], id: aboveId, name }],
    ]),
  )
}

/**
 * The live rows that the caller may read, with the names of their projects.
 * @returns each row with its reference, in the given order
 */
export async function readableResources<Row extends ResourceRow>(
  { db, actor }: { db: Db; actor: Actor },
  rows: readonly Row[],
): Promise<{ row: Row; reference: Wire.ResourceReference }[]> {
  const owners = [...new Set(rows.map(({ owner }) => owner))]
  const projects = new Map<string, Project>()
  if (owners.length > 0) {
    const found = await db
      .selectFrom('project')
      .select(['id', 'name', 'silo_id'])
      .where('id', 'in', owners)
      .where('time_deleted', 'is', null)
      .execute()
    for (const project of found) projects.set(project.id, project)
  }
  const readable = rows.filter((row) => mayRead(actor, row, projects.get(row.owner)))
  const above = new Map<string, Above[]>()
  for (const [kind, some] of Map.groupBy(readable, (row) => row.kind)) {
    const ids = some.map(({ id }) => id)
    for (const [id, found] of await aboveOf(db, kind, ids)) above.set(id, found)
  }
  return readable.map((row) => {
    const { kind, id, name } = row
    const project = projects.get(row.owner)
    const reference = {
      kind,
      id,
      name,
      project_id: project?.id ?? null,
      project_name: project?.name ?? null,
      inside: above.get(id) ?? [],
    }
    return { row, reference }
  })
}

type Reader = { db: Db; actor: Actor }

/** The live resources with the given ids that the caller may read. */
export async function readableById(
  reader: Reader,
  kind: ListedKind,
  ids: string[],
): Promise<Wire.ResourceReference[]> {
  const rows = await anyRowsOf(reader.db, kind)
    .select(['its.id', 'its.name', ownerColumn(kind, 'its').as('owner')])
    .where('its.id', 'in', ids)
    .execute()
  const things = rows.map((row): ResourceRow => ({ ...row, kind }))
  return (await readableResources(reader, things)).map(({ reference }) => reference)
}

/** @throws ApiError 404 for a resource that the caller may not read */
export async function requireReadable(
  reader: Reader,
  kind: ListedKind,
  id: string,
): Promise<Wire.ResourceReference> {
  const [thing] = await readableById(reader, kind, [id])
  if (!thing) throw fail.notFoundById(kindTable[kind].type, id)
  return thing
}
