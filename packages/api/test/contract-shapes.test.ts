/**
 * The operation table can express the whole wire contract: examples of every kind of operation, and
 * all operations of the contract if its facts are available.
 */
import { apiDocument, type Operation, type OperationTable } from '@steading/api'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { factsUrl, type Json, shapeOf } from '../scripts/facts.ts'
import { paged } from '../src/paging.ts'
import {
  anything,
  bytes,
  dateTime,
  type Fields,
  list,
  Name,
  named,
  NameOrId,
  record,
  scalar,
  type Schema,
  string,
} from '../src/schema.ts'

const Token = record('ExampleToken', { code: string })
const base = { tags: ['examples'], summary: 'Example', permission: 'session' } as const

const documented = (operation: Operation): Json => {
  const { paths } = apiDocument({ example: operation }) as { paths: Json }
  return paths[operation.path][operation.method.toLowerCase()]
}

describe('the document shows', () => {
  test('a redirect', () => {
    const operation: Operation = {
      ...base,
      method: 'POST',
      path: '/login/{silo_name}/saml/{provider_name}',
      params: { silo_name: Name, provider_name: Name },
      body: bytes,
      bodyType: 'application/octet-stream',
      anyContentType: true,
      success: { status: 303 },
    }
    expect(documented(operation)).toMatchObject({
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        303: {
          headers: { location: { required: true, style: 'simple', schema: { type: 'string' } } },
        },
      },
    })
    expect(documented(operation).responses[303]).not.toHaveProperty('content')
  })

  test('a form, and an answer with its own shape', () => {
    expect(
      documented({
        ...base,
        method: 'POST',
        path: '/device/token',
        body: Token,
        bodyType: 'application/x-www-form-urlencoded',
        success: { status: 200, freeForm: true },
      }),
    ).toMatchObject({
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: { $ref: '#/components/schemas/ExampleToken' },
          },
        },
      },
      responses: { default: { content: { '*/*': { schema: {} } } } },
    })
  })

  test('text, bytes, lists and arbitrary JSON', () => {
    const answer = (schema: Schema, contentType?: string) =>
      documented({
        ...base,
        method: 'GET',
        path: '/v1/example',
        success: { status: 200, schema, contentType },
      }).responses[200].content
    // A name is of one use, also of a shared schema.
    const Title = named('ExampleTitle', string)
    expect(answer(Title)).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/ExampleTitle' } },
    })
    expect(answer(string, 'text/plain')).toEqual({ 'text/plain': { schema: { type: 'string' } } })
    expect(answer(bytes, 'application/zip')).toEqual({
      'application/zip': { schema: { type: 'string', format: 'binary' } },
    })
    expect(answer(list(Token))).toEqual({
      'application/json': {
        schema: { type: 'array', items: { $ref: '#/components/schemas/ExampleToken' } },
      },
    })
    expect(answer(anything)).toEqual({ 'application/json': { schema: {} } })
  })

  test('an operation without a body, and request headers', () => {
    const head = documented({
      ...base,
      method: 'HEAD',
      path: '/v1/files/{file}',
      params: { file: string },
      headers: { range: string.optional() },
      success: { status: 204 },
    })
    expect(head.responses[204]).not.toHaveProperty('content')
    expect(head.parameters).toContainEqual({
      in: 'header',
      name: 'range',
      schema: { type: 'string' },
    })
  })

  test.each([
    ['name', ['name_ascending']],
    ['time_and_id', ['time_and_id_ascending', 'time_and_id_descending']],
    ['version', ['version_descending', 'version_ascending']],
  ] as const)('a list that is paged by %s', (sort, modes) => {
    const { query, scan } = paged(sort, { start_time: dateTime.optional() }, ['start_time'])
    expect(scan).toEqual({ sort, modes, required: ['start_time'] })
    expect(Object.keys(query)).toEqual(['limit', 'page_token', 'sort_by', 'start_time'])
  })

  test('a list with a fixed order', () => {
    const { query, scan } = paged('none')
    expect(scan).toEqual({ sort: 'none', modes: [], required: [] })
    expect(Object.keys(query)).toEqual(['limit', 'page_token'])
  })

  test('no unpublished operations', () => {
    const operation: Operation = {
      ...base,
      method: 'GET',
      path: '/login/{silo_name}/saml/{provider_name}/redirect',
      params: { silo_name: Name, provider_name: Name },
      unpublished: true,
      success: { status: 302 },
    }
    const pathsOf = (all?: boolean) =>
      (apiDocument({ operation }, { unpublished: all }) as { paths: Json }).paths
    expect(pathsOf()).toEqual({})
    expect(Object.keys(pathsOf(true))).toEqual([operation.path])
  })
})

/** A schema equivalent to one of the facts. */
function standIn(form: Json, optional = false): Schema {
  const { nullable, ...rest } = form
  const name = String(rest.$ref ?? '')
    .split('/')
    .at(-1)!
  const known: Record<string, Schema> = { Name, NameOrId }
  let schema = known[name] ?? (rest.type === 'array' ? list(standIn(rest.items)) : undefined)
  schema ??= scalar(rest, () => undefined)
  if (nullable) schema = schema.nullable()
  return optional ? schema.optional() : schema
}

const fieldsOf = (parameters: Json[] | undefined, where: string): Fields | undefined => {
  const found = (parameters ?? []).filter((parameter) => parameter.in === where)
  if (found.length === 0) return undefined
  return Object.fromEntries(found.map((p) => [p.name, standIn(p.schema, !p.required)]))
}

/** An operation of the facts as a row of the table. */
function rowOf(method: string, path: string, facts: Json): Operation {
  const [bodyType, body] = Object.entries<Json>(facts.requestBody?.content ?? {})[0] ?? []
  const [[status, answer]] = Object.entries<Json>(facts.responses) as [[string, Json]]
  const [contentType, content] = Object.entries<Json>(answer.content ?? {})[0] ?? []
  const freeForm = status === 'default'
  return {
    ...base,
    method: method.toUpperCase() as Operation['method'],
    path,
    tags: facts.tags,
    params: fieldsOf(facts.parameters, 'path'),
    query: fieldsOf(facts.parameters, 'query'),
    headers: fieldsOf(facts.parameters, 'header'),
    scan: facts['x-dropshot-pagination'] && {
      sort: 'none',
      modes: [],
      required: facts['x-dropshot-pagination'].required,
    },
    body: body && standIn(body.schema),
    bodyType: bodyType as Operation['bodyType'],
    websocket: facts['x-dropshot-websocket'] ? true : undefined,
    success: {
      status: freeForm ? 200 : (Number(status) as Operation['success']['status']),
      schema: content && !freeForm ? standIn(content.schema) : undefined,
      contentType,
      freeForm: freeForm ? true : undefined,
    },
  }
}

describe.skipIf(!existsSync(factsUrl))('the facts of the contract', () => {
  const facts: Json = existsSync(factsUrl) ? JSON.parse(readFileSync(factsUrl, 'utf8')) : {}
  const operations = Object.entries<Json>(facts.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
  )

  test('are all expressible as rows of the table, and unchanged in the document', () => {
    expect(operations.length).toBeGreaterThan(300)
    // Not by id: some operations dropped by newer clients share the id of their successor.
    const table: OperationTable = Object.fromEntries(
      operations.map(({ path, method, operation }) => [
        `${method} ${path}`,
        rowOf(method, path, operation),
      ]),
    )
    const { paths } = JSON.parse(JSON.stringify(apiDocument(table))) as { paths: Json }
    for (const { path, method, operation } of operations) {
      const emitted = { ...paths[path][method], operationId: operation.operationId }
      expect(shapeOf(emitted, facts), `${method} ${path}`).toEqual(shapeOf(operation, facts))
    }
  })
})
