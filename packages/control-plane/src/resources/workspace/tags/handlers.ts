import type { tables } from '@steading/api'
import { changedTags, inTagOrder, TAGS_LISTED_MAX } from '@steading/api/rules'
import { locateAny, mayModify } from '../../../kernel/any-resource.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { tagsOf } from '../../../kernel/tags/tags.ts'
import { changeTags, requireChanges, requireDistinct } from './change.ts'
import { tagKeysInUse, tagsInUse } from './in-use.ts'

const mostListed = (limit: number | null | undefined) =>
  Math.min(limit ?? TAGS_LISTED_MAX, TAGS_LISTED_MAX)

export const tagHandlers: Handlers<typeof tables.tagOperations> = {
  async tag_list(ctx) {
    const { project, scope = 'silo', search = '', limit } = ctx.query
    const place = project ? await lookup(ctx, 'project', project) : scope
    return tagsInUse(ctx, place, search, mostListed(limit))
  },

  async tag_key_list(ctx) {
    const { project, scope = 'silo', search = '', limit } = ctx.query
    const place = project ? await lookup(ctx, 'project', project) : scope
    return tagKeysInUse(ctx, place, search, mostListed(limit))
  },

  async tags_view(ctx: Context<'tags_view'>) {
    const { kind, thing } = ctx.params
    const located = await locateAny(ctx, ctx.params, 'read')
    return {
      tags: await tagsOf(ctx.db, kind, thing),
      modifiable: mayModify(ctx, kind, located),
    }
  },

  async tags_replace(ctx) {
    const { tags } = ctx.body
    requireDistinct(tags)
    return changeTags(ctx, ctx.params, () => inTagOrder(tags))
  },

  async tags_change(ctx) {
    const changes = requireChanges(ctx.body)
    return changeTags(ctx, ctx.params, (before) => changedTags(before, changes))
  },
}
