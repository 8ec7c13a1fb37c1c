/** Stores the versions of a setting, in the transactions of its changes. */
import { SETTING_VERSIONS_BYTES, SETTING_VERSIONS_MAX, type SettingName } from '@steading/api/rules'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Work } from '../../../kernel/work.ts'
import { type Parts, presentParts } from './contents.ts'
import type { SettingVersionItemTable, SettingVersionTable } from './table.ts'

export type VersionRow = Selectable<SettingVersionTable>
export type Versioning = Pick<Work, 'db' | 'now' | 'actor' | 'cause'>

/** Rows per statement, as databases limit the number of values. */
const ROWS_AT_ONCE = 500
/** Parts after which other work gets a turn. */
const PARTS_PER_TURN = 200

export const versionsOf = (db: Db, setting: SettingName, thing: string) =>
  db.selectFrom('setting_version').where('thing_id', '=', thing).where('setting', '=', setting)

const itemsOf = (db: Db, setting: SettingName, thing: string) =>
  db.selectFrom('setting_version_item').where('thing_id', '=', thing).where('setting', '=', setting)

export const newestVersion = (
  db: Db,
  setting: SettingName,
  thing: string,
): Promise<VersionRow | undefined> =>
  versionsOf(db, setting, thing).selectAll().orderBy('version', 'desc').limit(1).executeTakeFirst()

/** The parts of a version, as stored. */
export const storedParts = (db: Db, setting: SettingName, thing: string, version: number) =>
  itemsOf(db, setting, thing)
    .select(['item_key', 'value'])
    .where('first_version', '<=', version)
    .where((eb) => eb.or([eb('last_version', 'is', null), eb('last_version', '>=', version)]))
    .orderBy('item_key')
    .execute()

/** The parts of now; other work gets a turn afterwards. */
async function partsNow(db: Db, setting: SettingName, thing: string): Promise<Parts> {
  const parts = await presentParts[setting](db, thing)
  if (parts.size > PARTS_PER_TURN) await yieldToEventLoop()
  return parts
}

interface Differences {
  added: string[]
  changed: string[]
  removed: string[]
}

function differences(before: Parts, after: Parts): Differences {
  const found: Differences = { added: [], changed: [], removed: [] }
  for (const [key, value] of after) {
    const old = before.get(key)
    if (old === undefined) found.added.push(key)
    else if (old !== value) found.changed.push(key)
  }
  for (const key of before.keys()) if (!after.has(key)) found.removed.push(key)
  return found
}

const isSame = ({ added, changed, removed }: Differences): boolean =>
  added.length + changed.length + removed.length === 0

async function inPieces<T>(all: readonly T[], write: (some: T[]) => Promise<unknown>) {
  for (let start = 0; start < all.length; start += ROWS_AT_ONCE) {
    if (start > 0) await yieldToEventLoop()
    await write(all.slice(start, start + ROWS_AT_ONCE))
  }
}

/** Moves the parts of the newest version on to another one. */
async function writeParts(
  { db }: Pick<Versioning, 'db'>,
  { setting, thing_id, version }: Pick<VersionRow, 'setting' | 'thing_id' | 'version'>,
  { added, changed, removed }: Differences,
  after: Parts,
): Promise<void> {
  const ended = [...changed, ...removed]
  await inPieces(ended, async (keys) => {
    const present = sql<boolean>`setting = ${setting} and thing_id = ${thing_id}
      and last_version is null and item_key in (${sql.join(keys)})`
    // A later change of the same version replaces its parts.
    await db
      .deleteFrom('setting_version_item')
      .where(present)
      .where('first_version', '=', version)
      .execute()
    await db
      .updateTable('setting_version_item')
      .set({ last_version: version - 1 })
      .where(present)
      .execute()
  })
  const rows = [...added, ...changed].map((key): Insertable<SettingVersionItemTable> => ({
    setting,
    thing_id,
    item_key: key,
    first_version: version,
    last_version: null,
    value: after.get(key)!,
  }))
  await inPieces(rows, (some) => db.insertInto('setting_version_item').values(some).execute())
}

const sizeOf = ({ added, changed }: Differences, after: Parts): number =>
  [...added, ...changed].reduce((sum, key) => sum + key.length + after.get(key)!.length, 0)

/** Removes versions over the limits; the newest two always stay. */
async function trim(db: Db, setting: SettingName, thing: string): Promise<void> {
  const rows = await versionsOf(db, setting, thing)
    .select(['version', 'size'])
    .orderBy('version', 'desc')
    .execute()
  let bytes = 0
  const over = rows.findIndex(({ size }, index) => {
    bytes += size
    return index >= SETTING_VERSIONS_MAX || (index >= 2 && bytes > SETTING_VERSIONS_BYTES)
  })
  if (over > 0) await forgetVersions(db, setting, thing, rows[over]!.version)
}

/** Removes the versions up to one, and the parts that only those have. */
export async function forgetVersions(
  db: Db,
  setting: SettingName,
  thing: string,
  upTo: number,
): Promise<void> {
  await db
    .deleteFrom('setting_version')
    .where('thing_id', '=', thing)
    .where('setting', '=', setting)
    .where('version', '<=', upTo)
    .execute()
  await db
    .deleteFrom('setting_version_item')
    .where('thing_id', '=', thing)
    .where('setting', '=', setting)
    .where('last_version', '<=', upTo)
    .execute()
}

/**
 * Makes a change of a setting, and stores its version in the same transaction. The state before the
 * change becomes a version as well, unless it is the newest one. A change that changes nothing has
 * no version.
 * @param thing the id of the resource that the setting belongs to
 */
export async function versioning<T>(
  work: Versioning,
  setting: SettingName,
  thing: string,
  change: () => Promise<T>,
): Promise<T> {
  const { db, now, actor, cause } = work
  const before = await partsNow(db, setting, thing)
  const done = await change()
  const after = await partsNow(db, setting, thing)
  const made = differences(before, after)
  if (isSame(made)) return done

  const newest = await newestVersion(db, setting, thing)
  const known = newest && (await storedParts(db, setting, thing, newest.version))
  const stored = new Map(known?.map(({ item_key, value }) => [item_key, value]))
  const found = differences(stored, before)
  const time_created = now.toISOString()
  const of = { setting, thing_id: thing }
  const isFound = !newest || !isSame(found)
  let version = newest?.version ?? 0
  const counts = ({ added, changed, removed }: Differences) => ({
    added: added.length,
    changed: changed.length,
    removed: removed.length,
  })
  if (isFound) {
    version += 1
    const row = {
      ...of,
      version,
      time_created,
      // The first version has no earlier one to differ from.
      ...counts(newest ? found : { added: [], changed: [], removed: [] }),
      size: sizeOf(found, before),
    }
    await db.insertInto('setting_version').values(row).execute()
    await writeParts(work, { ...of, version }, found, before)
  }
  const size = sizeOf(made, after)
  const jobId = cause?.jobId ?? null
  if (!isFound && jobId !== null && newest.job_id === jobId) {
    await db
      .updateTable('setting_version')
      .set((eb) => ({
        added: eb('added', '+', made.added.length),
        changed: eb('changed', '+', made.changed.length),
        removed: eb('removed', '+', made.removed.length),
        size: eb('size', '+', size),
      }))
      .where('thing_id', '=', thing)
      .where('setting', '=', setting)
      .where('version', '=', version)
      .execute()
  } else {
    version += 1
    const row: Insertable<SettingVersionTable> = {
      ...of,
      version,
      time_created,
      author_id: actor.userId,
      author_name: actor.displayName,
      author_silo_id: actor.siloId,
      auth_method: cause?.authMethod ?? null,
      operation_id: cause?.operationId ?? null,
      request_id: cause?.requestId ?? null,
      job_id: jobId,
      restored_version: cause?.restoredVersion ?? null,
      reason: cause?.reason ?? null,
      ...counts(made),
      size,
    }
    await db.insertInto('setting_version').values(row).execute()
  }
  await writeParts(work, { ...of, version }, made, after)
  await trim(db, setting, thing)
  return done
}
