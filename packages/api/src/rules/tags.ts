/** Tags of resources: `key:value`, or a key alone. A resource has at most one tag of a key. */

import { firstRepeated } from './lists.ts'

/** Maximum number of tags of a resource. */
export const TAGS_MAX = 50
/** Characters. */
export const TAG_KEY_MAX = 63
/** Characters. */
export const TAG_VALUE_MAX = 255
/** Characters of a key with its value. */
export const TAG_MAX = TAG_KEY_MAX + 1 + TAG_VALUE_MAX
/** Maximum number of tags that a filter of a list combines. */
export const TAG_FILTER_MAX = 10
/** Maximum number of tags in use that one call lists. */
export const TAGS_LISTED_MAX = 200
/** Maximum number of resources that are counted for a tag in use. */
export const TAG_COUNT_MAX = 1_000

/** The value of a plain tag is empty. */
export interface ParsedTag {
  key: string
  value: string
}

/** Splits a tag at its first colon. */
export function parseTag(tag: string): ParsedTag {
  const colon = tag.indexOf(':')
  return colon < 0
    ? { key: tag, value: '' }
    : { key: tag.slice(0, colon), value: tag.slice(colon + 1) }
}

export const tagText = ({ key, value }: ParsedTag): string =>
  value === '' ? key : `${key}:${value}`

const keyForm = /^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$/
const valueForm =
  /^[\p{L}\p{N}\p{M}._/=+@:-]([\p{L}\p{N}\p{M}._/=+@: -]*[\p{L}\p{N}\p{M}._/=+@:-])?$/u

/** Pattern of the key of a tag. */
export const tagKeyPattern = `[A-Za-z0-9]([A-Za-z0-9._/-]{0,${TAG_KEY_MAX - 2}}[A-Za-z0-9])?`

/** Pattern for the document, which leaves out which characters of a script are letters. */
export const tagPattern = `${tagKeyPattern}(:[^,\\s]([^,]{0,${TAG_VALUE_MAX - 2}}[^,\\s])?)?`

/** Problem with the key of a tag, or undefined. */
export function tagKeyProblem(key: string): string | undefined {
  if (key === '') return 'tag requires a key'
  if (key.length > TAG_KEY_MAX) return `key of a tag may contain at most ${TAG_KEY_MAX} characters`
  return keyForm.test(key)
    ? undefined
    : 'key of a tag may contain letters, digits, ".", "_", "/" and "-", and begins and ends with a letter or digit'
}

/** Problem with a tag, or undefined. */
export function tagProblem(tag: string): string | undefined {
  const { key, value } = parseTag(tag)
  const wrong = tagKeyProblem(key)
  if (wrong) return wrong
  if (!tag.includes(':')) return undefined
  if (value === '') return 'value of a tag is missing after ":"'
  if (value.length > TAG_VALUE_MAX) {
    return `value of a tag may contain at most ${TAG_VALUE_MAX} characters`
  }
  return valueForm.test(value)
    ? undefined
    : 'value of a tag may contain letters, digits, inner spaces, and "._/=+@:-"'
}

export const tagMessages = {
  tooMany: `a resource may have at most ${TAGS_MAX} tags`,
  twice: (key: string) => `tag "${key}" is given twice`,
  setAndRemoved: (key: string) => `tag "${key}" is both set and removed`,
  tooManyWanted: `at most ${TAG_FILTER_MAX} tags can be combined`,
  nothing: 'nothing to set or to remove',
} as const

/** Key that occurs twice among some tags, or undefined. */
export const repeatedKey = (tags: readonly string[]): string | undefined =>
  firstRepeated(tags.map((tag) => parseTag(tag).key))

/** Problem with the value of a filter, some tags separated by commas. */
export function tagFilterProblem(filter: string): string | undefined {
  const tags = filter.split(',')
  return tags.length > TAG_FILTER_MAX
    ? tagMessages.tooManyWanted
    : tags.map((tag) => tagProblem(tag)).find((problem) => problem !== undefined)
}

/** Changed tags: those set replace the ones with their keys. */
export interface TagChanges {
  set: readonly string[]
  /** A key alone removes its tag with any value. */
  remove: readonly string[]
}

/** Whether a pattern, `key` or `key:value`, matches a tag. */
export function tagMatches(pattern: string, tag: string): boolean {
  return pattern === tag || (!pattern.includes(':') && parseTag(tag).key === pattern)
}

/** Order of tags: by key. */
export const inTagOrder = (tags: readonly string[]): string[] =>
  tags.toSorted((a, b) => (parseTag(a).key < parseTag(b).key ? -1 : 1))

export function changedTags(tags: readonly string[], { set, remove }: TagChanges): string[] {
  const keys = new Set(set.map((tag) => parseTag(tag).key))
  const kept = tags.filter(
    (tag) => !keys.has(parseTag(tag).key) && !remove.some((pattern) => tagMatches(pattern, tag)),
  )
  return inTagOrder([...kept, ...set])
}

/** A tag in a search: after `tag:`, with `=` or `:` before its value, quoted if it has a space. */
const searchedTag = /(?<=^|\s)tag:(?:"([^"]*)"|([^\s"]+))/g

/** The text of a search, and the tags that it asks for: `web tag:env=prod`. */
export function parseSearch(search: string): { text: string; tags: string[] } {
  const tags: string[] = []
  const text = search.replace(searchedTag, (_, quoted?: string, plain?: string) => {
    const [, key = '', value = ''] = /^([^=:]*)(?:[=:](.*))?$/s.exec(quoted ?? plain ?? '')!
    if (key) tags.push(tagText({ key, value: value.normalize('NFC') }))
    return ''
  })
  return tags.length > 0
    ? { text: text.replaceAll(/\s+/g, ' ').trim(), tags }
    : { text: search, tags }
}

/** The search for a tag. */
export function tagSearch(tag: string): string {
  const { key, value } = parseTag(tag)
  const entered = value === '' ? key : `${key}=${value}`
  return value.includes(' ') ? `tag:"${entered}"` : `tag:${entered}`
}
