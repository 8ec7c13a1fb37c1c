import { expect, test } from 'vitest'
import { joined } from '../joined.ts'

/** Modules of one byte per letter, and what they import. */
const sizes = (imports: Record<string, string[]> = {}) => ({
  closure(roots: Iterable<string>) {
    const found = new Set(roots)
    for (const id of found) for (const next of imports[id] ?? []) found.add(next)
    return found
  },
  sizeOf: (id: string) => id.length,
})
const visit = (files: number, ...modules: string[]) => ({ files, modules: new Set(modules) })

test('parts stay apart as long as no visit needs too many', () => {
  const groups = [['a'], ['b'], ['c']]
  expect(joined(groups, [visit(2, 'a', 'b'), visit(2, 'b', 'c')], sizes())).toEqual(groups)
})

test('what costs other visits least is joined first', () => {
  const visits = [visit(2, 'a', 'b', 'looong'), visit(2, 'a'), visit(2, 'b')]
  expect(joined([['a'], ['b'], ['looong']], visits, sizes())).toEqual([['a', 'b'], ['looong']])
})

test('what a part needs counts as well', () => {
  const found = joined([['a'], ['b'], ['c']], [visit(1, 'a')], sizes({ a: ['b'], b: ['c'] }))
  expect(found.map((modules) => modules.toSorted())).toEqual([['a', 'b', 'c']])
})

test('parts with another one between them are not joined past it', () => {
  const imports = { a: ['between', 'c'], between: ['c'] }
  const found = joined([['a'], ['between'], ['c']], [visit(2, 'a')], sizes(imports))
  expect(found.map((modules) => modules.length).toSorted()).toEqual([1, 2])
  expect(found).not.toContainEqual(['a', 'c'])
})
