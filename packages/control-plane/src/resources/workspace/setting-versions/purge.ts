import { type SettingName, versionedSettings } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { forgetVersions } from './keep.ts'

/** Settings of resources that are looked at per query; each has many versions. */
const LOOKED_AT = 50
/** Rows removed per transaction. */
const PIECE = 200

/** Removes some parts of a setting that no version has any more, or that belong to nothing. */
async function removeParts(
  db: Db,
  setting: SettingName,
  thing: string,
  upTo: number | null,
  isActive: () => boolean,
): Promise<void> {
  for (let more = true; more && isActive();) {
    const { numAffectedRows } = await sql`
      delete from setting_version_item
      where (thing_id, setting, item_key, first_version) in (
        select thing_id, setting, item_key, first_version from setting_version_item
        where thing_id = ${thing} and setting = ${setting}
          and ${upTo === null ? sql`true` : sql`last_version <= ${upTo}`}
        limit ${PIECE})`.execute(db)
    more = Number(numAffectedRows ?? 0) === PIECE
    await yieldToEventLoop()
  }
}

/** The versions of a setting of a resource. */
interface Versioned {
  setting: SettingName
  thing_id: string
  newest: number
  /** The newest version older than the time; null if there is none. */
  old: number | null
}

/** The next settings of resources, in the order of the primary key. */
async function nextSettings(
  db: Db,
  before: string,
  last: Pick<Versioned, 'thing_id' | 'setting'> | undefined,
): Promise<Versioned[]> {
  const { rows } = await sql<Versioned>`
    select thing_id, setting, max(version) as newest,
      max(case when time_created < ${before} then version end) as old
    from setting_version
    where (thing_id, setting) > (${last?.thing_id ?? ''}, ${last?.setting ?? ''})
    group by thing_id, setting order by thing_id, setting limit ${LOOKED_AT}`.execute(db)
  return rows
}

/** The resources whose rows have been removed. */
async function goneOf(db: Db, found: readonly Versioned[]): Promise<ReadonlySet<string>> {
  const gone = new Set<string>()
  for (const [of, some] of Map.groupBy(found, ({ setting }) => versionedSettings[setting].of)) {
    if (of === 'fleet') continue
    const ids = [...new Set(some.map(({ thing_id }) => thing_id))]
    const rows = await db
      .selectFrom(of as 'silo')
      .select('id')
      .where('id', 'in', ids)
      .execute()
    const there = new Set(rows.map(({ id }) => id))
    for (const id of ids) if (!there.has(id)) gone.add(id)
  }
  return gone
}

/**
 * Removes versions older than a time, but never the newest one of a setting, and the versions of
 * resources that are gone. Versions of deleted resources stay as long as their rows, because these
 * may be restored.
 * @param before RFC 3339
 * @param isActive called between transactions; false ends the work
 */
export async function purgeSettingVersions(
  db: Db,
  before: string,
  isActive: () => boolean,
): Promise<void> {
  for (let last: Versioned | undefined; isActive();) {
    const found = await nextSettings(db, before, last)
    const gone = await goneOf(db, found)
    for (const { setting, thing_id, newest, old } of found) {
      const isGone = gone.has(thing_id)
      const upTo = isGone ? newest : Math.min(old ?? 0, newest - 1)
      if (upTo === 0) continue
      // The versions are last, so that an interrupted run finds the setting again.
      await removeParts(db, setting, thing_id, isGone ? null : upTo, isActive)
      if (!isActive()) return
      await forgetVersions(db, setting, thing_id, upTo)
    }
    if (found.length < LOOKED_AT) return
    last = found.at(-1)
    await yieldToEventLoop()
  }
}
