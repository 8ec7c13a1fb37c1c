import type { tables, Wire } from '@steading/api'
import { PRESENT_VERSION, type SettingName } from '@steading/api/rules'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { maySeeUserOf } from '../../../kernel/events/visibility.ts'
import { pick } from '../../../kernel/pick.ts'
import { isPermitted, requirePermitted } from './authorize.ts'
import { presentParts } from './contents.ts'
import { emitVersion } from './emit.ts'
import { newestVersion, storedParts, type VersionRow, versionsOf } from './keep.ts'
import { factsOf, type Part } from './missing.ts'
import { restoreContents } from './restore.ts'
import { itemValue } from './table.ts'

const toWire = (actor: Actor, row: VersionRow, modifiable: boolean): Wire.SettingVersion => ({
  version: row.version,
  time_created: row.time_created,
  author:
    row.author_id !== null && maySeeUserOf(actor, row.author_silo_id)
      ? { id: row.author_id, name: row.author_name ?? '' }
      : null,
  ...pick(row, 'auth_method', 'operation_id', 'request_id', 'job_id', 'restored_version', 'reason'),
  reason_modifiable: modifiable || row.author_id === actor.userId,
  added: row.added,
  changed: row.changed,
  removed: row.removed,
})

/** @throws ApiError 404 */
async function versionOf(
  db: Db,
  setting: SettingName,
  thing: string,
  version: string,
): Promise<VersionRow> {
  const row = await versionsOf(db, setting, thing)
    .selectAll()
    .where('version', '=', Number(version))
    .executeTakeFirst()
  if (!row) throw fail.notFoundById('setting-version', version)
  return row
}

const partsOf = async (
  db: Db,
  { setting, thing_id, version }: Pick<VersionRow, 'setting' | 'thing_id' | 'version'>,
): Promise<Part[]> =>
  (await storedParts(db, setting, thing_id, version)).map(({ item_key, value }) => ({
    key: item_key,
    value: itemValue.read(value),
  }))

const partsNow = async (db: Db, setting: SettingName, thing: string): Promise<Part[]> =>
  [...(await presentParts[setting](db, thing))]
    .map(([key, value]) => ({ key, value: itemValue.read(value) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))

/** The parts of a version without those that refer to missing resources, by key. */
async function restorable(ctx: Context<'setting_version_restore'>, row: VersionRow) {
  const { db, actor, params, body } = ctx
  const parts = await partsOf(db, row)
  const { missing } = body.without_missing
    ? await factsOf(db, actor, params.setting, params.thing, parts)
    : { missing: new Map() }
  return Object.fromEntries(
    parts.filter(({ key }) => !missing.has(key)).map(({ key, value }) => [key, value]),
  )
}

export const settingVersionHandlers: Handlers<typeof tables.settingVersionOperations> = {
  async setting_version_list(ctx) {
    const { db, actor, params } = ctx
    const { setting, thing } = params
    await requirePermitted(ctx, params, 'read')
    const modifiable = await isPermitted(ctx, params, 'change')
    const rows = await versionsOf(db, setting, thing)
      .selectAll()
      .orderBy('version', 'desc')
      .execute()
    return { items: rows.map((row) => toWire(actor, row, modifiable)), modifiable }
  },

  async setting_version_view(ctx) {
    const { db, actor, params } = ctx
    const { setting, thing, version } = params
    await requirePermitted(ctx, params, 'read')
    const isPresent = version === PRESENT_VERSION
    const parts = isPresent
      ? await partsNow(db, setting, thing)
      : await partsOf(db, { setting, thing_id: thing, version: Number(version) })
    // Read afterwards: a version and its parts are removed together, so these are complete.
    const row = isPresent ? undefined : await versionOf(db, setting, thing, version)
    const { names, missing } = await factsOf(db, actor, setting, thing, parts)
    return {
      version: row ? toWire(actor, row, await isPermitted(ctx, params, 'change')) : null,
      items: parts.map(({ key, value }) => ({
        key,
        name: names.get(key) ?? null,
        value: value as never,
        missing: [...(missing.get(key) ?? [])],
      })),
    }
  },

  async setting_version_restore(ctx) {
    const { db, actor, params, body } = ctx
    const { setting, thing, version } = params
    await requirePermitted(ctx, params, 'read')
    await requirePermitted(ctx, params, 'change')
    const row = await versionOf(db, setting, thing, version)
    const newest = await newestVersion(db, setting, thing)
    if (newest?.version !== body.latest) throw fail.preconditionFailed()
    const contents = await restorable(ctx, row)
    const cause = {
      ...ctx.cause!,
      reason: body.reason?.trim() || null,
      restoredVersion: row.version,
    }
    await restoreContents({ ...ctx, cause }, setting, thing, contents)
    return toWire(actor, (await newestVersion(db, setting, thing))!, true)
  },

  async setting_version_reason_update(ctx) {
    const { db, actor, params, body } = ctx
    const { setting, thing, version } = params
    const located = await requirePermitted(ctx, params, 'read')
    const row = await versionOf(db, setting, thing, version)
    if (row.author_id !== actor.userId) await requirePermitted(ctx, params, 'change')
    const reason = body.reason?.trim() || null
    if (reason !== row.reason) {
      await writeReason(db, row, reason)
      await emitVersion(ctx, setting, located)
    }
    return toWire(actor, { ...row, reason }, await isPermitted(ctx, params, 'change'))
  },
}

const writeReason = (db: Db, { setting, thing_id, version }: VersionRow, reason: string | null) =>
  db
    .updateTable('setting_version')
    .set({ reason })
    .where('thing_id', '=', thing_id)
    .where('setting', '=', setting)
    .where('version', '=', version)
    .execute()
