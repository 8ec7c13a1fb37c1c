import { TAGS_MAX } from '../../rules/tags.ts'
import { LIST_MAX } from '../../rules/limits.ts'
import { array, boolean, list, record, ruledArray, Tag, TagKey, uint64 } from '../../schema.ts'

export const ResourceTags = record('ResourceTags', {
  tags: list(Tag),
  /** Whether the caller may change them: a caller who may modify the resource. */
  modifiable: boolean,
})

export const TagsReplace = record('TagsReplace', {
  tags: ruledArray(Tag, TAGS_MAX),
})

export const TagsChange = record('TagsChange', {
  /** Replace the tags with the same keys. */
  set: ruledArray(Tag, TAGS_MAX).optional(),
  /** A key alone removes its tag with any value. */
  remove: array(Tag, LIST_MAX).optional(),
})

export const TagsInUse = record('TagsInUse', {
  items: list(
    record('TagInUse', {
      tag: Tag,
      /** Number of readable resources; null if there are more than are counted. */
      count: uint64.nullable(),
    }),
  ),
  /** There are more tags. */
  more: boolean,
})

export const TagKeysInUse = record('TagKeysInUse', {
  /** In the order of their bytes. */
  keys: list(TagKey),
  /** There are more keys. */
  more: boolean,
})
