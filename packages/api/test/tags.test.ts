/** The spelling of tags, and of searches for them. */
import { expect, test } from 'vitest'
import {
  changedTags,
  parseSearch,
  parseTag,
  tagFilterProblem,
  tagProblem,
  tagSearch,
  tagText,
} from '../src/rules.ts'

test('a tag is split at its first colon', () => {
  expect(parseTag('url:https://example.com')).toEqual({ key: 'url', value: 'https://example.com' })
  for (const tag of ['plain', 'env:prod', 'a:b:c']) expect(tagText(parseTag(tag))).toBe(tag)
})

test.each(['env', 'env:prod', 'a/b.c-d_e:x', 'owner:Jane Doe', 'ort:Zürich', 'n:1+1=2@x'])(
  '%j is a tag, and is found by the search for it',
  (tag) => {
    expect(tagProblem(tag)).toBeUndefined()
    expect(parseSearch(tagSearch(tag))).toEqual({ text: '', tags: [tag] })
  },
)

test.each(['', ':', 'env:', ':x', 'a b', 'a,b', 'env:a,b', 'env: a', '"', 'env:"'])(
  '%j is no tag',
  (tag) => {
    expect(tagProblem(tag)).toBeDefined()
  },
)

test('a filter consists of tags', () => {
  expect(tagFilterProblem('env:prod,team')).toBeUndefined()
  expect(tagFilterProblem('env:prod,,team')).toBeDefined()
})

test('a search has text and tags in any order', () => {
  expect(parseSearch('web tag:env=prod  01 tag:"team:a b"')).toEqual({
    text: 'web 01',
    tags: ['env:prod', 'team:a b'],
  })
  // Only a word of its own is a tag, and a text without tags stays as it is.
  for (const text of ['heritage:old', 'tag:', 'tag:=x', ' a  b ']) {
    expect(parseSearch(text)).toEqual({ text, tags: [] })
  }
})

test('changes replace the tag of a key, and remove only what they name', () => {
  const tags = ['env:prod', 'team:web']
  expect(changedTags(tags, { set: ['env:test'], remove: ['team:data'] })).toEqual([
    'env:test',
    'team:web',
  ])
  expect(changedTags(tags, { set: [], remove: ['team'] })).toEqual(['env:prod'])
})
