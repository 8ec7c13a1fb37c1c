import { expect, test } from 'vitest'
import { shortcutGroups, shortcutsOf } from '../src/ui/keyboard/shortcut-labels.ts'
import { shortcuts } from '../src/ui/keyboard/shortcuts.ts'

test('the help describes each shortcut once', () => {
  const described = shortcutGroups.flatMap((group) => shortcutsOf(group))
  expect(described).toHaveLength(Object.keys(shortcuts).length)
  expect(new Set(described.map(({ does }) => does)).size).toBe(described.length)
})

test('a sequence of keys leads to one page', () => {
  const sequences = Object.values(shortcuts)
    .flat()
    .filter((keys) => keys.startsWith('g '))
  expect(new Set(sequences).size).toBe(sequences.length)
})
