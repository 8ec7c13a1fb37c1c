import { expect, test } from 'vitest'
import { redirectTarget } from '../src/identity/login/redirect-target.ts'

test.each([
  ['/projects/a/instances?x=1#top', '/projects/a/instances?x=1#top'],
  [undefined, '/projects'],
  ['', '/projects'],
  ['projects', '/projects'],
  ['//evil.example/x', '/projects'],
  [String.raw`/\evil.example`, '/projects'],
  ['/\t/evil.example', '/projects'],
  ['https://evil.example', '/projects'],
  ['javascript:alert(1)', '/projects'],
])('%s → %s', (given, expected) => {
  expect(redirectTarget(given)).toBe(expected)
})
