/**
 * Answers to clients of each published version: every read, in every version, has the shape that the
 * facts of the contract give it.
 */
import { NotAcceptableError, type Operation, operationTable, presentResponse } from '@steading/api'
import { expect, test } from 'vitest'
import * as z from 'zod'
import document from '../openapi.json' with { type: 'json' }
import { namedSchemas, type Schema, wireForm } from '../src/schema.ts'
import type { Shape } from '../src/shape.ts'
import { publishedVersions, shapeAt } from '../src/version-history.ts'
import { FORMER_FIELDS } from '../src/versions.ts'

type Json = Record<string, any>
const current: Json = document.components.schemas

/** Values of a schema: together they have each of its variants, words and properties. */
function examplesOf(schema: Schema, depth = 0): unknown[] {
  if (depth > 12) return [null]
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return examplesOf(schema.unwrap() as Schema, depth + 1)
  }
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
  const ref: string | undefined = form.$ref ?? form.allOf?.[0].$ref
  return ref ? resolved(current[ref.split('/').at(-1)!]) : form
}

/** Notation of `Shape` for a schema that has not changed. */
function shapeOf(form: Json): Shape {
  const ref: string | undefined = form.$ref ?? form.allOf?.[0].$ref
  if (ref) return ref.split('/').at(-1)!
  const union: Json[] | undefined = form.oneOf ?? form.anyOf
  if (union) {
    const [inner, ...more] = union.filter(({ type }) => type !== 'null')
    const shape = more.length > 0 ? { '|': [inner!, ...more].map(shapeOf) } : shapeOf(inner!)
    return union.some(({ type }) => type === 'null') ? { '?': shape } : shape
  }
  if (form.enum) return { '=': form.enum }
  if (Array.isArray(form.type)) return { '?': shapeOf({ ...form, type: form.type[0] }) }
  if (form.type === 'array') return { '[]': shapeOf(form.items) }
  if (form.properties) {
    return Object.fromEntries(
      Object.entries<Json>(form.properties).map(([name, property]) => [
        form.required?.includes(name) ? name : `${name}?`,
        shapeOf(property),
      ]),
    )
  }
  if (form.type === 'object') return { '*': shapeOf(form.additionalProperties ?? {}) }
  return form.type ?? 'anything'
}

const jsonTypes: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  anything: () => true,
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
    return difference(
      shapeAt(shape, version) ?? shapeOf(current[shape] ?? {}),
      value,
      version,
      path,
    )
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
  const shape = shapeOf(answerForm(schema))
  for (const version of publishedVersions) {
    for (const example of examplesOf(schema)) {
      let presented: unknown
      try {
        presented = presentResponse(schema, example, version)
      } catch (error) {
        // It may be said that a version has no word for a value.
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
  expect(difference('Units', 'joules', 2026042400, '')).toContain('joules')
  expect(difference('Units', 'joules', 2026042900, '')).toBeUndefined()
})
