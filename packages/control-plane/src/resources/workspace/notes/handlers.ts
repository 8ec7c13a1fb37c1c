import type { tables, Wire } from '@steading/api'
import { type ListedKind, NOTE_VERSIONS_MAX } from '@steading/api/rules'
import { type Selectable, sql } from 'kysely'
import { emitUpdate, locateAny, mayModify } from '../../../kernel/any-resource.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { maySeeUserOf } from '../../../kernel/events/visibility.ts'
import type { NoteVersionTable } from './table.ts'

type VersionRow = Selectable<NoteVersionTable>

const versionsOf = (db: Db, kind: ListedKind, thing: string) =>
  db.selectFrom('note_version').where('thing_id', '=', thing).where('kind', '=', kind)

const newestOf = (db: Db, kind: ListedKind, thing: string): Promise<VersionRow | undefined> =>
  versionsOf(db, kind, thing).selectAll().orderBy('version', 'desc').limit(1).executeTakeFirst()

type Authored = Pick<VersionRow, 'version' | 'author_id' | 'author_name' | 'author_silo_id'> & {
  time_modified: string
}

const toWireVersion = (actor: Actor, row: Authored) => ({
  version: row.version,
  author:
    row.author_id !== null && maySeeUserOf(actor, row.author_silo_id)
      ? { id: row.author_id, name: row.author_name ?? '' }
      : null,
  time_modified: row.time_modified,
})

const toWireNote = (actor: Actor, row: VersionRow | undefined, modifiable: boolean): Wire.Note => ({
  ...(row ? toWireVersion(actor, row) : { version: 0, author: null, time_modified: null }),
  text: row?.text ?? '',
  modifiable,
})

export const noteHandlers: Handlers<typeof tables.noteOperations> = {
  async note_view(ctx) {
    const { kind, thing } = ctx.params
    const located = await locateAny(ctx, ctx.params, 'read')
    const newest = await newestOf(ctx.db, kind, thing)
    return toWireNote(ctx.actor, newest, mayModify(ctx, kind, located))
  },

  async note_replace(ctx) {
    const { db, actor, now, params, body } = ctx
    const { kind, thing } = params
    const located = await locateAny(ctx, params, 'modify')
    const newest = await newestOf(db, kind, thing)
    if ((newest?.text ?? '') === body.text) return toWireNote(actor, newest, true)
    const row: VersionRow = {
      thing_id: thing,
      kind,
      version: (newest?.version ?? 0) + 1,
      text: body.text,
      author_id: actor.userId,
      author_name: actor.displayName,
      author_silo_id: actor.siloId,
      time_modified: now.toISOString(),
    }
    await db.insertInto('note_version').values(row).execute()
    await db
      .deleteFrom('note_version')
      .where('thing_id', '=', thing)
      .where('version', '<=', row.version - NOTE_VERSIONS_MAX)
      .execute()
    await emitUpdate(ctx, kind, located)
    return toWireNote(actor, row, true)
  },

  async note_version_list(ctx) {
    const { db, actor, params } = ctx
    await locateAny(ctx, params, 'read')
    const rows = await versionsOf(db, params.kind, params.thing)
      .select(['version', 'author_id', 'author_name', 'author_silo_id', 'time_modified'])
      .select(sql<number>`length(text)`.as('length'))
      .orderBy('version', 'desc')
      .execute()
    return { items: rows.map((row) => ({ ...toWireVersion(actor, row), length: row.length })) }
  },

  async note_version_view(ctx) {
    const { db, actor, params } = ctx
    await locateAny(ctx, params, 'read')
    const row = await versionsOf(db, params.kind, params.thing)
      .selectAll()
      .where('version', '=', Number(params.version))
      .executeTakeFirst()
    if (!row) throw fail.notFoundById('note-version', params.version)
    return { ...toWireVersion(actor, row), text: row.text }
  },
}
