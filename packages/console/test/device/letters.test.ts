import { expect, test } from 'vitest'
import { lettersIn, pastedInto } from '../../src/identity/device/code-boxes.tsx'

test('extracts letters from a text, in capitals', () => {
  expect(lettersIn('ab-1C d!')).toBe('ABCD')
  expect(lettersIn('12-34')).toBe('')
})

const empty = ['', '', '', '']

test.each([
  ['with a dash', empty, 'AB-CD', ['A', 'B', 'C', 'D']],
  ['without one', empty, 'abcd', ['A', 'B', 'C', 'D']],
  ['among other things', empty, ' Code: AB\n', ['C', 'O', 'D', 'E']],
  ['too long', empty, 'ABCDEF', ['A', 'B', 'C', 'D']],
  ['some, into empty boxes', ['A', '', 'C', ''], 'XY', ['A', 'X', 'C', 'Y']],
  ['fewer than there is room for', ['A', '', '', ''], 'B', ['A', 'B', '', '']],
  ['a whole one in the place of another', ['A', 'B', 'C', 'D'], 'WX-YZ', ['W', 'X', 'Y', 'Z']],
  ['none', ['A', '', '', ''], '1-2', ['A', '', '', '']],
])('a pasted code fills the boxes: %s', (_, boxes, text, filled) => {
  expect(pastedInto(boxes, text)).toEqual(filled)
})
