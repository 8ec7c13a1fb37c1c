import { expect, it } from 'vitest'
import { actTexts, isAsked } from '../src/shell/use-palette-acts.tsx'

it('takes the first or the last word for a name', () => {
  expect(actTexts('  Open  console db-2 ')).toEqual([
    { name: 'db-2', words: ['open', 'console'] },
    { name: 'open', words: ['console', 'db-2'] },
  ])
  expect(actTexts('web-1')).toEqual([])
  // A letter is the start of too many names.
  expect(actTexts('stop w')).toEqual([{ name: 'stop', words: ['w'] }])
})

it.each([
  ['stop', 'Stop', true],
  ['sto', 'Stop', true],
  ['top', 'Stop', false],
  ['stop instance', 'Stop', true],
  ['stop disk', 'Stop', false],
  ['console', 'View serial console', true],
  ['open console', 'View serial console', true],
  ['restart', 'Reboot', true],
  ['stop start', 'Stop', false],
])('"%s" asks for %s of an instance: %s', (text, label, asked) => {
  expect(isAsked(text.split(' '), 'instance', { label })).toBe(asked)
})
