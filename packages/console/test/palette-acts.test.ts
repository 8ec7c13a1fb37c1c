import type { FoundResource } from '@steading/api/client'
import { expect, it } from 'vitest'
import { actTexts, isAsked, namedThings, whereText } from '../src/shell/use-palette-acts.tsx'

const subnetIn = (vpc: string): FoundResource => ({
  kind: 'vpc_subnet',
  id: `subnet-of-${vpc}`,
  name: 'default',
  projectId: 'mill-id',
  projectName: 'mill',
  inside: [{ kind: 'vpc', id: vpc, name: vpc }],
  matched: 'name',
  address: null,
})

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
  ['terminate', 'Delete', true],
  ['expand', 'Resize', false],
  ['stop start', 'Stop', false],
])('"%s" asks for %s of an instance: %s', (text, label, asked) => {
  expect(isAsked(text.split(' '), 'instance', { label })).toBe(asked)
})

it('names each resource once, the whole name first', () => {
  const [main, lab] = [subnetIn('main'), subnetIn('lab')]
  const longer = { ...subnetIn('lab'), id: 'longer', name: 'default-2' }
  const byTag = { ...lab, id: 'tagged', matched: 'tag' as const }
  const asked = [
    { name: 'default', words: ['delete'] },
    { name: 'delete', words: ['default'] },
  ]
  expect(namedThings(asked, [[longer, main, lab, byTag], [main]])).toEqual([
    { thing: main, texts: [['delete'], ['default']] },
    { thing: lab, texts: [['delete']] },
    { thing: longer, texts: [['delete']] },
  ])
  expect(namedThings(asked, [undefined, undefined])).toEqual([])
})

it('tells resources apart that have the same name in several VPCs', () => {
  expect(whereText(subnetIn('main'))).toBe('default, subnet in main, mill')
  expect(whereText(subnetIn('lab'))).toBe('default, subnet in lab, mill')
  expect(whereText({ ...subnetIn('lab'), kind: 'silo', projectName: null, inside: [] })).toBe(
    'default, silo',
  )
})
