import type { Generated } from 'kysely'
import { kinds, type TokenAccess } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf, type StoredKind } from '../../../kernel/kinds.ts'
import { type Page, pageByTime, type ResultsPage } from '../../../kernel/paging.ts'
import type { Work } from '../../../kernel/work.ts'

export interface AccessTokenTable {
  id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  /**
   * SHA-256 of the code by which its device fetches it, hex. For a token that was made with a name, a
   * text that is the digest of no code.
   */
  device_code_hash: string
  /** The kind of program, as given by the device; empty for a token that was made with a name. */
  client_id: string
  user_id: string
  time_created: string
  /** Null if it does not expire. */
  time_expires: string | null
  /** Null for the token of a device. */
  name: string | null
  access: Generated<TokenAccess>
  /** JSON: the ids of the only projects in which it has rights; null for all. */
  projects: string | null
  created_address: string | null
  /** The latest use, exact to a minute; null if not used yet. */
  time_last_used: string | null
  last_used_address: string | null
}

/** The column `projects`. */
export const tokenProjects = jsonColumn<string[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    access_token: AccessTokenTable
  }
}

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

export const access_token: StoredKind<'access_token'> = {
  tables: {
    access_token: {
      times: { time_expires: { endsAfter: 'time_created' } },
      partOf: { user_id: 'silo_user' },
      names: { access_token_name: kinds.access_token.type },
    },
  },
  live: '1 = 1',
  parentColumn: 'user_id',
}
