import { describe, expect, test } from 'vitest'
import {
  type ListSearch,
  searchedRoute,
  searchOf,
  validateListSearch,
} from '../src/data/list-search.ts'
import { orderWith, withMoved } from '../src/ui/column-order.ts'
import { countText } from '../src/ui/list-controls/count-text.ts'

describe('the address of a list', () => {
  const read = validateListSearch({ state: ['running', 'failed'] })

  test('is read without invalid values', () => {
    const search = { q: 'web', state: 'running', sort: 'memory_descending', columns: 'name,state' }
    expect(read(search)).toEqual(search)
    expect(read({ q: 5, state: 'dancing,failed', sort: 'drop table', columns: {}, x: 1 })).toEqual({
      q: '5',
      state: 'failed',
    })
    expect(read({ q: '', state: '', type: 'local' })).toEqual({})
    expect(read({ q: 'a\0b' })).toEqual({ q: 'ab' })
  })

  test('may contain names, which are not checked against a list', () => {
    const withPools = validateListSearch({ pool: 'names', attached: ['yes', 'no'] })
    expect(withPools({ pool: 'default,second', attached: 'no' })).toEqual({
      pool: 'default,second',
      attached: 'no',
    })
    expect(withPools({ pool: 'Not a name,second,', attached: 'perhaps' })).toEqual({
      pool: 'second',
    })
  })

  test('is kept by links to the side modals of the list, and by no others', () => {
    const { search, onEnter, onLeave } = searchedRoute({
      id: 'disks',
      filters: { state: ['creating'] },
    })
    const [keep] = search.middlewares
    const go = (next: ListSearch) =>
      keep!({ search: { q: 'web', state: 'creating', other: 'unknown' }, next: () => next })
    expect(go({})).toEqual({})
    onEnter()
    expect(go({})).toEqual({ q: 'web', state: 'creating' })
    expect(go({ q: undefined })).toEqual({ q: undefined, state: 'creating' })
    expect(go({ q: 'db' })).toMatchObject({ q: 'db' })
    onLeave()
    expect(go({})).toEqual({})
  })
})

test('choosing no view clears the search and the filters of the list', () => {
  const search = searchOf(undefined, { state: ['creating'] })
  expect({ q: 'web', state: 'creating', ...search }).toMatchObject({
    q: undefined,
    state: undefined,
    view: 'all',
  })
})

test.each([
  [false, 1, 1, '1 disk'],
  [false, 1234, 1234, '1,234 disks'],
  [false, null, null, '10,000+ disks'],
  [true, 13, null, '13 of 10,000+ disks'],
  [true, 0, 1, '0 of 1 disk'],
  [true, 1, undefined, '1 disk'],
  [false, undefined, undefined, ''],
])('filtered %s, %s of %s rows count as %j', (isFiltered, total, all, text) => {
  expect(countText({ one: 'disk', many: 'disks' }, isFiltered, total, all)).toBe(text)
})

describe('the order of columns', () => {
  const all = ['state', 'cpu', 'memory', 'tags']

  test.each([
    ['nothing', all, ['memory', 'state'], ['memory', 'state']],
    [
      'a column that follows a shown one',
      ['state', 'cpu'],
      ['memory', 'state'],
      ['memory', 'state', 'cpu'],
    ],
    ['a column that precedes all shown ones', ['state'], ['memory'], ['state', 'memory']],
    [
      'columns that follow each other',
      ['memory', 'tags'],
      ['cpu', 'state'],
      ['cpu', 'memory', 'tags', 'state'],
    ],
  ])('is kept when it gets %s', (_, added, order, expected) => {
    const chosen = new Set(added === all ? order : [...order, ...added])
    expect(orderWith(order, all, chosen)).toEqual(expected)
  })

  test('is kept by the rest when a column goes', () => {
    expect(orderWith(['tags', 'cpu', 'state'], all, new Set(['tags', 'state']))).toEqual([
      'tags',
      'state',
    ])
  })

  test('has a moved column at the place of another', () => {
    expect(withMoved(all, 'state', 'memory')).toEqual(['cpu', 'memory', 'state', 'tags'])
    expect(withMoved(all, 'tags', 'cpu')).toEqual(['state', 'tags', 'cpu', 'memory'])
  })
})
