import type { Wire } from '@steading/api'
import {
  type KindName,
  changedTags,
  kindTable,
  type ListedKind,
  parseTag,
  repeatedKey,
  tagMessages,
  TAGS_MAX,
} from '@steading/api/rules'
import { emitUpdate, locateAny } from '../../../kernel/any-resource.ts'
import { fail } from '../../../kernel/errors.ts'
import type { JobSteps, StepOfJob } from '../../../kernel/job-steps.ts'
import { placeOf } from '../../../kernel/tags/place.ts'
import { tagsOf, writeTags } from '../../../kernel/tags/tags.ts'
import type { Work } from '../../../kernel/work.ts'

interface Tagged {
  kind: ListedKind
  thing: string
}

/** @throws ApiError 400 for a key that is given twice */
export function requireDistinct(tags: readonly string[]): void {
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

/**
 * The step of a job that tags a resource.
 * @param kinds the kinds that the resource may have in its permission
 * @param kindOf the kind of a resource
 */
export const tagStep = (
  kinds: readonly ListedKind[],
  kindOf: (work: Work, id: string) => Promise<ListedKind>,
): StepOfJob => ({
  operation: 'tags_change',
  requiredActions: Object.fromEntries(kinds.map((kind) => [kind, 'modify' as const])),
  async run(work, thing, { tags }) {
    const changes = requireChanges(tags ?? {})
    const kind = await kindOf(work, thing)
    await changeTags(work, { kind, thing }, (before) => changedTags(before, changes))
  },
})

/** Resources of all kinds with a list are tagged in bulk. */
export const tagSteps = (kind: KindName): JobSteps =>
  kindTable[kind].listed
    ? { tag: tagStep([kind as ListedKind], async () => kind as ListedKind) }
    : {}
