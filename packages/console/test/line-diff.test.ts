import { expect, test } from 'vitest'
import { diffLines } from '../src/workspace/notes/line-diff.ts'

const signs = { same: ' ', added: '+', removed: '-' }
const diff = (before: string, after: string) =>
  diffLines(before, after).map(({ change, text }) => signs[change] + text)

test('lines that were added, removed and kept are told apart', () => {
  expect(diff('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual([' a', '-b', ' c', '+x', ' d'])
  expect(diff('a', 'a')).toEqual([' a'])
  expect(diff('a\na', 'a')).toEqual([' a', '-a'])
})

test('the difference always leads from one text to the other', () => {
  const texts = ['', 'a', 'a\nb', 'b\na', 'a\nb\na\nb', 'x\n\ny', '\n\n']
  for (const before of texts) {
    for (const after of texts) {
      const lines = diffLines(before, after)
      const side = (not: string) =>
        lines.flatMap(({ change, text }) => (change === not ? [] : [text])).join('\n')
      expect([side('added'), side('removed')]).toEqual([before, after])
    }
  }
})

test('long texts without a common line are replaced at once', () => {
  // A comparison of each line with each would not end.
  const lines = (letter: string) => Array.from({ length: 200_000 }, (_, n) => `${letter}${n}`)
  expect(diffLines(lines('a').join('\n'), lines('b').join('\n'))).toHaveLength(400_000)
})
