/**
 * Texts with several spellings have one in the control plane: whatever a client writes, it reads the
 * canonical one, or Terraform would see a change for ever.
 */
import { formatAddress, formatNetwork, networkAddress } from '@steading/api/rules'
import { type Operation, operationTable } from '@steading/api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { parseValue } from '../src/parse.ts'
import { bare, namedSchemas, object, type Schema, wireForm } from '../src/schema.ts'

type Place = [place: string, schema: Schema]

/** All scalars of the requests, with the first place of each. */
function scalarsOf(): Place[] {
  const found = new Map<Schema, string>()
  const seen = new Set<Schema>()
  const walk = (wrapped: Schema, place: string): void => {
    const schema = bare(wrapped)
    if (seen.has(schema)) return
    seen.add(schema)
    if (schema instanceof z.ZodArray) walk(schema.element as Schema, `${place}[]`)
    else if (schema instanceof z.ZodRecord) walk(schema.valueType as Schema, `${place}{}`)
    else if (schema instanceof z.ZodUnion) {
      for (const option of schema.options as Schema[]) walk(option, place)
    } else if (schema instanceof z.ZodObject) {
      for (const [name, part] of Object.entries(schema.shape as Record<string, Schema>)) {
        walk(part, `${place}.${name}`)
      }
    } else if (wireForm(schema)) found.set(schema, place)
  }
  for (const [id, row] of Object.entries(operationTable as Record<string, Operation>)) {
    for (const part of ['params', 'query'] as const) {
      for (const [name, schema] of Object.entries(row[part] ?? {})) walk(schema, `${id}?${name}`)
    }
    if (row.body) walk(row.body, id)
  }
  return [...found].map(([schema, place]) => [place, schema])
}

const scalars = scalarsOf()
const formOf = (schema: Schema) => JSON.stringify(wireForm(schema))
const having = (test: (schema: Schema) => boolean): Place[] =>
  scalars.filter(([, schema]) => test(schema))
const parsed = (schema: Schema, value: unknown): unknown =>
  (parseValue(object({ value: schema }), { value }) as { value: unknown }).value

/** All groups in full, in capitals. */
const expanded = (value: bigint): string =>
  (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':').toUpperCase()

const address = fc.bigInt(0n, 2n ** 128n - 1n)
/** Runs of zeros, which the canonical text leaves out. */
const sparse = fc
  .tuple(address, fc.nat(127))
  .map(([value, shift]) => (value >> BigInt(shift)) << BigInt(shift))

const addresses = having((schema) => /"format":"(ip|ipv6)"/.test(formOf(schema)))
const networks = having(
  (schema) =>
    /Ipv6Net/.test(formOf(schema)) ||
    ['Ipv6Net', 'IpNet'].includes(namedSchemas.get(schema)?.id ?? ''),
)

describe('an IPv6 address', () => {
  test('is in requests', () => expect(addresses.length).toBeGreaterThan(2))

  test.each(addresses)('of %s has the text of RFC 5952', (_, schema) => {
    fc.assert(
      fc.property(sparse, (value) => {
        expect(parsed(schema, expanded(value))).toBe(formatAddress({ version: 'v6', value }))
      }),
    )
  })
})

describe('an IPv6 network', () => {
  test('is in requests', () => expect(networks.length).toBeGreaterThan(2))

  test.each(networks)('of %s has the text of RFC 5952', (_, schema) => {
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 128 }), (value, width) => {
        const net = networkAddress({ version: 'v6', value, width })
        expect(parsed(schema, `${expanded(net.value)}/${width}`)).toBe(formatNetwork(net))
      }),
    )
  })
})

const ID = 'ABCDEF01-2345-4678-9ABC-DEF012345678'
const ids = having((schema) => /"format":"uuid"/.test(formOf(schema)))

test.each(ids)('an ID of %s is in small letters', (_, schema) => {
  expect(parsed(schema, ID)).toBe(ID.toLowerCase())
})

test('requests have no MAC addresses, which answers spell in one way', () => {
  expect(having((schema) => namedSchemas.get(schema)?.id === 'MacAddr')).toEqual([])
})
