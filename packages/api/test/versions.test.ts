/** Schema changes apply wherever the schema is used. */
import { NEWEST_API_VERSION, NotAcceptableError, presentResponse } from '@steading/api'
import { describe, expect, test } from 'vitest'
import { array, map, object, record, string, tagged, text } from '../src/schema.ts'
import { changed, upgradeRequest } from '../src/versions.ts'

/** Named `label` until 2026020000, and `caption` until 2026040000. */
const Title = changed(
  object({ title: string }),
  {
    until: 2026020000,
    upgradeRequest: (value) => rename(value, 'label', 'caption'),
    presentResponse: (value) => rename(value, 'caption', 'label'),
  },
  {
    until: 2026040000,
    upgradeRequest: (value) => rename(value, 'caption', 'title'),
    presentResponse: (value) => rename(value, 'title', 'caption'),
  },
)

function rename(value: unknown, from: string, to: string): unknown {
  const { [from]: kept, ...rest } = Object(value) as Record<string, unknown>
  return kept === undefined ? value : { ...rest, [to]: kept }
}

const Shelf = object({
  first: Title.nullable().optional(),
  books: array(Title, 9),
  byPlace: map(Title, 9, 9),
  lent: tagged('to', { reader: { book: Title }, library: {} }),
})
const shelf = (word: string) => ({
  first: { [word]: 'a' },
  books: [{ [word]: 'b' }, { [word]: 'c' }],
  byPlace: { window: { [word]: 'd' } },
  lent: { to: 'reader', book: { [word]: 'e' } },
})

describe('a change of a schema', () => {
  test('upgrades requests at every depth, oldest change first', () => {
    expect(upgradeRequest(Shelf, shelf('label'), 2026010000)).toEqual(shelf('title'))
    expect(upgradeRequest(Shelf, shelf('caption'), 2026030000)).toEqual(shelf('title'))
    expect(upgradeRequest(Shelf, shelf('label'))).toEqual(shelf('title'))
  })

  test('presents answers at every depth, newest change first', () => {
    expect(presentResponse(Shelf, shelf('title'), 2026010000)).toEqual(shelf('label'))
    expect(presentResponse(Shelf, shelf('title'), 2026030000)).toEqual(shelf('caption'))
  })

  test('is skipped for clients that know it', () => {
    const body = shelf('label')
    expect(upgradeRequest(Shelf, body, 2026040000)).toEqual(body)
    expect(presentResponse(Shelf, shelf('title'), 2026040000)).toEqual(shelf('title'))
    expect(presentResponse(Shelf, shelf('title'), NEWEST_API_VERSION)).toEqual(shelf('title'))
  })

  test('leaves alone values that do not fit the schema, for validation to refuse', () => {
    for (const body of [null, 1, 'x', [], { books: 1 }, { lent: { to: 'x' } }, { first: null }]) {
      expect(upgradeRequest(Shelf, body, 2026010000)).toEqual(body)
    }
  })

  test('may refuse to present a value that an older client cannot read', () => {
    const Platform = changed(text(9), {
      until: 2026020000,
      presentResponse(value) {
        if (value === 'new') throw new NotAcceptableError('new is not supported')
        return value
      },
    })
    const Machine = record('VersionedMachine', { platform: Platform.nullable() })
    expect(presentResponse(Machine, { platform: null }, 2026010000)).toEqual({ platform: null })
    expect(() => presentResponse(Machine, { platform: 'new' }, 2026010000)).toThrow(
      NotAcceptableError,
    )
  })
})
