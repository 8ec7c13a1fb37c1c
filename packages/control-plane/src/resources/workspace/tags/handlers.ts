import type { tables, Wire } from '@steading/api'
import {
  changedTags,
  inTagOrder,
  type ListedKind,
  parseTag,
  repeatedKey,
  tagMessages,
  TAGS_LISTED_MAX,
  TAGS_MAX,
} from '@steading/api/rules'
import { emitUpdate, locateAny, mayModify } from '../../../kernel/any-resource.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { placeOf } from '../../../kernel/tags/place.ts'
import { tagsOf, writeTags } from '../../../kernel/tags/tags.ts'
import type { Work } from '../../../kernel/work.ts'
import { tagsInUse } from './in-use.ts'

interface Tagged {
  kind: ListedKind
  thing: string
}

/** @throws ApiError 400 for a key that is given twice */
function requireDistinct(tags: readonly string[]): void {
  const twice = repeatedKey(tags)
  if (twice !== undefined) throw fail.invalidRequest(tagMessages.twice(twice))
}

/**
 * Changes the tags of a resource, in one transaction, so that two writers lose nothing.
 * @throws ApiError 400 for too many tags, 404, or 403
 */
export async function changeTags(
  work: Work,
  { kind, thing }: Tagged,
  change: (before: string[]) => string[],
): Promise<Wire.ResourceTags> {
  const located = await locateAny(work, { kind, thing }, 'modify')
  const before = await tagsOf(work.db, kind, thing)
  const after = change(before)
  if (after.length > TAGS_MAX) throw fail.invalidRequest(tagMessages.tooMany)
  if (after.join() !== before.join()) {
    await writeTags(work.db, thing, placeOf(kind, located), before, after)
    await emitUpdate(work, kind, located)
  }
  return { tags: after, modifiable: true }
}

/** @throws ApiError 400 for changes that contradict each other */
export function requireChanges({ set = [], remove = [] }: Wire.TagsChange) {
  if (set.length + remove.length === 0) throw fail.invalidRequest(tagMessages.nothing)
  requireDistinct(set)
  const removed = new Set(remove.map((tag) => parseTag(tag).key))
  const both = set.map((tag) => parseTag(tag).key).find((key) => removed.has(key))
  if (both !== undefined) throw fail.invalidRequest(tagMessages.setAndRemoved(both))
  return { set, remove }
}

export const tagHandlers: Handlers<typeof tables.tagOperations> = {
  async tag_list(ctx) {
    const { project, scope = 'silo', search = '', limit } = ctx.query
    const most = Math.min(limit ?? TAGS_LISTED_MAX, TAGS_LISTED_MAX)
    const place = project ? await lookup(ctx, 'project', project) : scope
    return tagsInUse(ctx, place, search, most)
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
