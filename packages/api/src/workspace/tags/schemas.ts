import { array, boolean, record, Tag, TagKey, uint64 } from '../../schema.ts'

export const ResourceTags = record('ResourceTags', {
  tags: array(Tag),
  /** Whether the caller may change them: a caller who may modify the resource. */
  modifiable: boolean,
})

export const TagsReplace = record('TagsReplace', { tags: array(Tag) })

export const TagsChange = record('TagsChange', {
  /** Replace the tags with the same keys. */
  set: array(Tag).optional(),
  /** A key alone removes its tag with any value. */
  remove: array(Tag).optional(),
})

export const TagsInUse = record('TagsInUse', {
  items: array(
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
  keys: array(TagKey),
  /** There are more keys. */
  more: boolean,
})
