import { isUuid } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Selectable } from 'kysely'
import type { Context, Handlers } from '../../kernel/context.ts'
import type { SshKeyTable } from '../../kernel/db/schema.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage } from '../../kernel/paging.ts'

export type SshKeyRow = Selectable<SshKeyTable>

export const sshKeyView = (row: SshKeyRow): Wire.SshKey => ({
  id: row.id,
  name: row.name,
  description: row.description,
  public_key: row.public_key,
  silo_user_id: row.silo_user_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

/** Live keys of the caller. */
const ownKeys = (ctx: Context) =>
  ctx.db
    .selectFrom('ssh_key')
    .selectAll()
    .where('silo_user_id', '=', ctx.actor.userId)
    .where('time_deleted', 'is', null)

/**
 * A key of the caller.
 * @throws ApiError its 404
 */
export async function lookupOwnKey(ctx: Context, selector: string): Promise<SshKeyRow> {
  const byId = isUuid(selector)
  const key = await (
    byId
      ? ownKeys(ctx).where('id', '=', selector.toLowerCase())
      : ownKeys(ctx).where('name', '=', selector)
  ).executeTakeFirst()
  if (key) return key
  throw byId ? fail.notFoundById('ssh-key', selector) : fail.notFoundByName('ssh-key', selector)
}

const changed = (ctx: Context, key: SshKeyRow, action: 'create' | 'delete') =>
  ctx.emit({
    resource: 'ssh-keys',
    action,
    resource_id: key.id,
    name: key.name,
    silo_id: ctx.actor.siloId,
  })

type SshKeyOperation =
  | 'current_user_ssh_key_list'
  | 'current_user_ssh_key_create'
  | 'current_user_ssh_key_view'
  | 'current_user_ssh_key_delete'

export const sshKeyHandlers: Handlers<SshKeyOperation> = {
  async current_user_ssh_key_list(ctx) {
    return listPage(ctx.page, ownKeys(ctx), { name: 'name', id: 'id' }, sshKeyView)
  },

  async current_user_ssh_key_create(ctx) {
    const { name, description, public_key } = ctx.body
    if (await ownKeys(ctx).where('name', '=', name).executeTakeFirst()) {
      throw fail.alreadyExists('ssh-key', name)
    }
    const time = ctx.now.toISOString()
    const key: SshKeyRow = {
      id: crypto.randomUUID(),
      silo_user_id: ctx.actor.userId,
      name,
      description,
      public_key,
      time_created: time,
      time_modified: time,
      time_deleted: null,
    }
    await ctx.db.insertInto('ssh_key').values(key).execute()
    await changed(ctx, key, 'create')
    return sshKeyView(key)
  },

  async current_user_ssh_key_view(ctx) {
    return sshKeyView(await lookupOwnKey(ctx, ctx.params.ssh_key))
  },

  async current_user_ssh_key_delete(ctx) {
    const key = await lookupOwnKey(ctx, ctx.params.ssh_key)
    await ctx.db
      .updateTable('ssh_key')
      .set({ time_deleted: ctx.now.toISOString() })
      .where('id', '=', key.id)
      .execute()
    await changed(ctx, key, 'delete')
  },
}
