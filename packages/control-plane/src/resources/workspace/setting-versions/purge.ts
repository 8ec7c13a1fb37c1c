import { type SettingName, settingNames, versionedSettings } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { forgetVersions, newestVersion } from './keep.ts'

/** Settings of resources whose versions are looked at per query. */
const LOOKED_AT = 50
/** Rows removed per transaction. */
const PIECE = 200

/** Removes some parts of a setting that no version has any more, or that belong to nothing. */
async function removeParts(
  db: Db,
  setting: SettingName,
  thing: string,
  upTo: number | null,
  goesOn: () => boolean,
): Promise<void> {
  for (let more = true; more && goesOn();) {
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

/** Removes the versions of resources whose rows have been removed. */
async function purgeOrphans(db: Db, goesOn: () => boolean): Promise<void> {
  for (const setting of settingNames) {
    const { of } = versionedSettings[setting]
    if (of === 'fleet') continue
    for (let more = true; more && goesOn();) {
      const { rows } = await sql<{ thing_id: string }>`
        select distinct thing_id from setting_version as its
        where setting = ${setting}
          and not exists (select 1 from ${sql.table(of)} as other where other.id = its.thing_id)
        limit ${LOOKED_AT}`.execute(db)
      for (const { thing_id } of rows) {
        // The versions are last, so that an interrupted run finds the resource again.
        await removeParts(db, setting, thing_id, null, goesOn)
        if (!goesOn()) return
        await db
          .deleteFrom('setting_version')
          .where('thing_id', '=', thing_id)
          .where('setting', '=', setting)
          .execute()
      }
      more = rows.length === LOOKED_AT
      await yieldToEventLoop()
    }
  }
}

/**
 * Removes versions older than a time, but never the newest one of a setting, and the versions of
 * resources that are gone. Versions of deleted resources stay as long as their rows, because these
 * may be restored.
 * @param before RFC 3339
 * @param goesOn called between transactions; false ends the work
 */
export async function purgeSettingVersions(
  db: Db,
  before: string,
  goesOn: () => boolean,
): Promise<void> {
  await purgeOrphans(db, goesOn)
  for (let more = true; more && goesOn();) {
    const old = await db
      .selectFrom('setting_version as its')
      .select((eb) => ['its.thing_id', 'its.setting', eb.fn.max('its.version').as('version')])
      .where('its.time_created', '<', before)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('setting_version as later')
            .select('later.version')
            .whereRef('later.thing_id', '=', 'its.thing_id')
            .whereRef('later.setting', '=', 'its.setting')
            .whereRef('later.version', '>', 'its.version'),
        ),
      )
      .groupBy(['its.thing_id', 'its.setting'])
      .limit(LOOKED_AT)
      .execute()
    for (const { thing_id, setting, version } of old) {
      if (!goesOn()) return
      const newest = await newestVersion(db, setting, thing_id)
      const upTo = Math.min(Number(version), (newest?.version ?? 0) - 1)
      await removeParts(db, setting, thing_id, upTo, goesOn)
      if (goesOn()) await forgetVersions(db, setting, thing_id, upTo)
    }
    more = old.length === LOOKED_AT
    await yieldToEventLoop()
  }
}
