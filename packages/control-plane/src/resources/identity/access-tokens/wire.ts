import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { type Page, pageByTime, type ResultsPage } from '../../../kernel/paging.ts'
import type { Work } from '../../../kernel/work.ts'
import { tokenProjects } from './table.ts'

export const toWireToken = (row: Row<'access_token'>): Wire.DeviceAccessToken => ({
  id: row.id,
  time_created: row.time_created,
  time_expires: row.time_expires,
})

/** The unexpired tokens of a user. */
export const tokensOf = ({ db, now }: Pick<Work, 'db' | 'now'>, userId: string) =>
  rowsOf(db, 'access_token')
    .selectAll()
    .where('its.user_id', '=', userId)
    .where((eb) =>
      eb.or([eb('its.time_expires', 'is', null), eb('its.time_expires', '>', now.toISOString())]),
    )

/** Tokens with the names of their projects. */
export async function toWireTokenDetails(
  db: Db,
  rows: readonly Row<'access_token'>[],
): Promise<Wire.AccessTokenDetails[]> {
  const projectsOf = new Map(
    rows.map(({ id, projects }) => [id, projects === null ? null : tokenProjects.read(projects)]),
  )
  const ids = [...new Set([...projectsOf.values()].flatMap((projects) => projects ?? []))]
  const found =
    ids.length === 0
      ? []
      : await rowsOf(db, 'project')
          .select(['its.id', 'its.name'])
          .where('its.id', 'in', ids)
          .execute()
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    access: row.access,
    projects: projectsOf.get(row.id)?.map((id) => ({ id, name: names.get(id) ?? null })) ?? null,
    time_created: row.time_created,
    created_address: row.created_address,
    time_expires: row.time_expires,
    time_last_used: row.time_last_used,
    last_used_address: row.last_used_address,
  }))
}

/** A page of the unexpired tokens of a user. */
export async function pageOfTokens(
  reading: Pick<Work, 'db' | 'now'>,
  page: Page,
  userId: string,
): Promise<ResultsPage<Wire.AccessTokenDetails>> {
  const { items, next_page } = await pageByTime(
    page,
    tokensOf(reading, userId),
    { time: 'its.time_created', id: 'its.id' },
    ({ time_created }) => time_created,
    (row: Row<'access_token'>) => row,
  )
  return { items: await toWireTokenDetails(reading.db, items), next_page }
}
