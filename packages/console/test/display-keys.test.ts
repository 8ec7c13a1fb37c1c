/** Text as keys of a keyboard, by the keysyms of X11. */
import { expect, test } from 'vitest'
import { keysOf } from '../src/compute/display/keys.ts'

const typed = (text: string) =>
  keysOf(text).map(({ keysym, shift }) => `${shift ? 'Shift+' : ''}${keysym.toString(16)}`)

test.each([
  ['a1 ', ['61', '31', '20']],
  ['A', ['Shift+41']],
  ['~/x|y', ['Shift+7e', '2f', '78', 'Shift+7c', '79']],
  ['one\ttab', ['6f', '6e', '65', 'ff09', '74', '61', '62']],
  ['ü', ['fc']],
  ['€', ['10020ac']],
  ['😀', ['101f600']],
  ['\u0007\u001B', []],
])('%j is typed', (text, keys) => {
  expect(typed(text)).toEqual(keys)
})

test.each(['a\nb', 'a\r\nb', 'a\rb'])('the end of the line in %j is the key Enter', (text) => {
  expect(typed(text)).toEqual(['61', 'ff0d', '62'])
})
