/** Things of any kind at once, each only if the caller may read it. */
import { kindTable, type ListedKind } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { type Actor, may } from './authz/actor.ts'
import { sql } from 'kysely'
import type { Db } from './db/database.ts'
import { fail } from './errors.ts'
import { parentColumn, rowsOf } from './kinds.ts'

/** A row of a thing of a listed kind; `parent` is the id of its project, silo or user. */
export interface ThingRow {
  kind: ListedKind
  id: string
  name: string
  parent: string
}

type Project = { id: string; name: string; silo_id: string }

function mayRead(actor: Actor, { kind, id, parent }: ThingRow, project: Project | undefined) {
  if (kind === 'project') {
    return may(actor, 'read', 'project', { siloId: parent, projectId: id })
  }
  const above = kindTable[kind].parent
  if (above === 'silo_user') return parent === actor.userId
  if (above === 'silo') return may(actor, 'read', kind, { siloId: parent })
  return (
    project !== undefined &&
    may(actor, 'read', kind, { siloId: project.silo_id, projectId: project.id })
  )
}

/**
 * Of live rows, those that the caller may read, with the names of their projects.
 * @returns each row with its reference, in the given order
 */
export async function readableThings<Row extends ThingRow>(
  { db, actor }: { db: Db; actor: Actor },
  rows: readonly Row[],
): Promise<{ row: Row; reference: Wire.ThingReference }[]> {
  const parents = [...new Set(rows.map(({ parent }) => parent))]
  const projects = new Map<string, Project>()
  if (parents.length > 0) {
    const found = await db
      .selectFrom('project')
      .select(['id', 'name', 'silo_id'])
      .where('id', 'in', parents)
      .where('time_deleted', 'is', null)
      .execute()
    for (const project of found) projects.set(project.id, project)
  }
  return rows.flatMap((row) => {
    const project = projects.get(row.parent)
    if (!mayRead(actor, row, project)) return []
    const { kind, id, name } = row
    const reference = {
      kind,
      id,
      name,
      project_id: project?.id ?? null,
      project_name: project?.name ?? null,
    }
    return [{ row, reference }]
  })
}

type Reader = { db: Db; actor: Actor }

/** The live things with some ids that the caller may read. */
export async function thingsWith(
  reader: Reader,
  kind: ListedKind,
  ids: string[],
): Promise<Wire.ThingReference[]> {
  const parent = sql.ref<string>(`its.${parentColumn(kind)}`)
  const rows = await rowsOf(reader.db, kind as 'disk')
    .select(['its.id', 'its.name', parent.as('parent')])
    .where('its.id', 'in', ids)
    .execute()
  const things = rows.map((row): ThingRow => ({ ...row, kind }))
  return (await readableThings(reader, things)).map(({ reference }) => reference)
}

/** @throws ApiError 404 for a thing that the caller may not read */
export async function requireReadable(
  reader: Reader,
  kind: ListedKind,
  id: string,
): Promise<Wire.ThingReference> {
  const [thing] = await thingsWith(reader, kind, [id])
  if (!thing) throw fail.notFoundById(kindTable[kind].type, id)
  return thing
}
