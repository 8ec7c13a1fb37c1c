/**
 * Answers to clients of each published version: every read, in every version, has the shape that the
 * facts of the contract give it.
 */
import {
  NEWEST_API_VERSION,
  NotAcceptableError,
  type Operation,
  operationTable,
  presentResponse,
} from '@steading/api'
import { expect, test } from 'vitest'
import * as z from 'zod'
import document from '../openapi.json' with { type: 'json' }
import { type Json, schemaShape } from '../scripts/facts.ts'
import { changedSchemas, publishedVersions } from '../src/generated/version-facts.ts'
import { bare, namedSchemas, referredName, type Schema, wireForm } from '../src/schema.ts'
import type { Shape } from '../src/shape.ts'
import { FORMER_FIELDS } from '../src/versions.ts'

const current: Json = document.components.schemas
const currentShapes = Object.fromEntries(
  Object.entries<Json>(current).map(([name, form]) => [name, schemaShape(form)]),
)

/** Values of a schema: together they have each of its variants, words and properties. */
function examplesOf(wrapped: Schema, depth = 0): unknown[] {
  if (depth > 12) return [null]
  const schema = bare(wrapped)
  if (schema instanceof z.ZodArray) return [examplesOf(schema.element as Schema, depth + 1)]
  if (schema instanceof z.ZodRecord) {
    return [{ key: examplesOf(schema.valueType as Schema, depth + 1)[0] }]
  }
  if (schema instanceof z.ZodUnion) {
    return (schema.options as Schema[]).flatMap((option) => examplesOf(option, depth + 1))
  }
  if (schema instanceof z.ZodLiteral) return [...schema.values]
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, Schema>).map(
      ([name, field]) => [name, examplesOf(field, depth + 1)] as const,
    )
    const count = Math.max(1, ...fields.map(([, values]) => values.length))
    return Array.from({ length: count }, (_, index) => ({
      ...Object.fromEntries(fields.map(([name, values]) => [name, values[index % values.length]])),
      // The handler adds it to peers.
      ...(namedSchemas.get(schema)?.id === 'BgpPeer' && {
        [FORMER_FIELDS]: { interface_name: 'phy0' },
      }),
    }))
  }
  return scalarExamples(wireForm(schema)!)
}

function scalarExamples(form: Json): unknown[] {
  if (form.enum) return form.enum as unknown[]
  if (form.oneOf) return scalarExamples(resolved(form.oneOf[0] as Json))
  switch (form.type) {
    case 'integer':
    case 'number':
      return [1]
    case 'boolean':
      return [true]
    case 'string':
      return ['text']
    default:
      return [{}]
  }
}

function resolved(form: Json): Json {
  const name = referredName(form)
  return name === undefined ? form : resolved(current[name])
}

const jsonTypes: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  anything: () => true,
}

/** Form of a schema for clients of a version. */
function shapeAt(schema: string, version: number): Shape {
  const shapes = Object.entries(changedSchemas[schema] ?? {})
  const [, shape] = shapes.findLast(([since]) => Number(since) <= version) ?? []
  return shape ?? currentShapes[schema] ?? 'anything'
}

/** Where a value differs from a shape; undefined if it has it. */
function difference(
  shape: Shape,
  value: unknown,
  version: number,
  path: string,
): string | undefined {
  if (typeof shape === 'string') {
    const isType = jsonTypes[shape]
    if (isType)
      return isType(value) ? undefined : `${path}: ${JSON.stringify(value)} is no ${shape}`
    return difference(shapeAt(shape, version), value, version, path)
  }
  const [[sign, inner] = ['', 'anything' as Shape]] = Object.entries(shape)
  if (sign === '?')
    return value === null ? undefined : difference(inner as Shape, value, version, path)
  if (sign === '=') {
    return (inner as unknown[]).includes(value) ? undefined : `${path}: ${JSON.stringify(value)}`
  }
  if (sign === '|') {
    const problems = (inner as Shape[]).map((one) => difference(one, value, version, path))
    return problems.includes(undefined) ? undefined : problems[0]
  }
  if (typeof value !== 'object' || value === null) return `${path}: ${JSON.stringify(value)}`
  const entries = Object.entries(value)
  if (sign === '[]' || sign === '*') {
    return entries
      .map(([key, item]) => difference(inner as Shape, item, version, `${path}.${key}`))
      .find((problem) => problem !== undefined)
  }
  for (const [name, property] of Object.entries(shape)) {
    const key = name.replace(/\?$/, '')
    const present = (value as Json)[key]
    if (present === undefined) {
      if (key === name) return `${path}.${key} is missing`
      continue
    }
    const problem = difference(property as Shape, present, version, `${path}.${key}`)
    if (problem !== undefined && !(key !== name && present === null)) return problem
  }
  return undefined
}

const reads = Object.entries(operationTable as Record<string, Operation>).flatMap(
  ([id, { method, path, success, unpublished }]) =>
    method === 'GET' && path.startsWith('/v1/') && !unpublished && success.schema
      ? [[id, success.schema] as const]
      : [],
)

test.each(reads)('%s has the shape of each published version', (_, schema) => {
  const shape = schemaShape(answerForm(schema))
  const examples = examplesOf(schema)
  for (const version of publishedVersions) {
    for (const example of examples) {
      let presented: unknown
      try {
        presented = presentResponse(schema, example, version)
      } catch (error) {
        // A version may have no word for a value.
        if (error instanceof NotAcceptableError) continue
        throw error
      }
      expect(difference(shape, presented, version, String(version))).toBeUndefined()
    }
  }
})

function answerForm(schema: Schema): Json {
  const id = namedSchemas.get(schema)?.id
  if (id) return { $ref: id }
  if (schema instanceof z.ZodArray) {
    return { type: 'array', items: answerForm(schema.element as Schema) }
  }
  return wireForm(schema) ?? {}
}

test('a shape that is not that of a version is found', () => {
  expect(difference('LoopbackAddress', { switch_slot: 0 }, 2026030600, '')).toContain('missing')
  expect(difference('Alert', { class: 'probe' }, 2026081400, '')).toContain('alert is missing')
  expect(difference('Units', 'joules', 2026042400, '')).toContain('joules')
  expect(difference('Units', 'joules', 2026042900, '')).toBeUndefined()
})

test('the newest version is the last one published', () => {
  expect(publishedVersions.at(-1)).toBe(NEWEST_API_VERSION)
})
