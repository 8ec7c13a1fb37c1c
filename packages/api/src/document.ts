import * as z from 'zod'
import type { OperationTable } from './compose.ts'
import { isJsonObject } from './describe-json.ts'
import type { Operation, Success } from './operation.ts'
import { operationTable } from './operations.ts'
import { API_VERSION } from './rules/limits.ts'
import {
  type Fields,
  isOptional,
  type JsonSchema,
  namedSchemas,
  record,
  type Schema,
  string,
  wireForm,
} from './schema.ts'

/** Body of every error. */
record('Error', {
  message: string,
  request_id: string,
  error_code: string.optional(),
})

const refBase = '#/components/schemas/'

/** Scalars keep their declared form; literals of tagged unions become one-word enums. */
function overrideForm({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: unknown
  jsonSchema: JsonSchema
}): void {
  const form = wireForm(zodSchema as Schema)
  if (form) {
    for (const key of Object.keys(jsonSchema)) if (key !== 'default') delete jsonSchema[key]
    Object.assign(jsonSchema, structuredClone(form))
  }
  if ('const' in jsonSchema) {
    jsonSchema.enum = [jsonSchema.const]
    delete jsonSchema.const
  }
  if (Array.isArray(jsonSchema.anyOf) && !jsonSchema.oneOf) {
    const nullable = (jsonSchema.anyOf as JsonSchema[]).some((branch) => branch.type === 'null')
    if (!nullable) {
      jsonSchema.oneOf = jsonSchema.anyOf
      delete jsonSchema.anyOf
    }
  }
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // Only a maximum that was declared; the other keys are plain text.
  if (!('maxProperties' in jsonSchema)) delete jsonSchema.propertyNames
}

const schemaOptions = {
  target: 'draft-2020-12',
  io: 'input',
  unrepresentable: 'any',
  override: overrideForm,
} as const

/** Generators of clients overlook what is beside a reference, such as a default. */
function referenceAlone(_key: string, value: unknown): unknown {
  if (!isJsonObject(value) || !('$ref' in value)) return value
  const { $ref, ...beside } = value
  return Object.keys(beside).length > 0 ? { ...beside, allOf: [{ $ref }] } : value
}

/** A schema as plain data, without zod's markers. */
function plain(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema)
  const { $schema: _schema, $id: _id, ...rest } = JSON.parse(text, referenceAlone) as JsonSchema
  return rest
}

function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(namedSchemas, { ...schemaOptions, uri: (id) => refBase + id })
  const sorted = Object.entries(schemas as Record<string, JsonSchema>).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return Object.fromEntries(sorted.map(([id, schema]) => [id, plain(schema)]))
}

/** An inline parameter, body or answer: a reference if it has a name, otherwise its own form. */
function schemaInPlace(schema: Schema): JsonSchema {
  const id = namedSchemas.get(schema)?.id
  if (id) return { $ref: refBase + id }
  if (schema instanceof z.ZodNullable) {
    return { anyOf: [schemaInPlace(schema.unwrap() as Schema), { type: 'null' }] }
  }
  if (schema instanceof z.ZodDefault) {
    const inner = { ...schemaInPlace(schema.unwrap() as Schema), default: schema.def.defaultValue }
    return referenceAlone('', inner) as JsonSchema
  }
  if (schema instanceof z.ZodArray) {
    return { type: 'array', items: schemaInPlace(schema.element as Schema) }
  }
  const form = wireForm(schema)
  if (!form)
    throw new Error('a parameter, body or answer must be a scalar, an array or have a name')
  return form
}

function parameters(fields: Fields | undefined, where: 'path' | 'query' | 'header'): JsonSchema[] {
  return Object.entries(fields ?? {}).map(([name, schema]) => {
    const optional = isOptional(schema)
    const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as Schema) : schema
    return {
      in: where,
      name,
      ...(optional ? {} : { required: true }),
      schema: schemaInPlace(inner),
    }
  })
}

const content = (schema: Schema, type = 'application/json'): JsonSchema => ({
  [type]: { schema: schemaInPlace(schema) },
})

const location: JsonSchema = {
  location: { required: true, style: 'simple', schema: { type: 'string' } },
}

function response(
  { status, schema, contentType, freeForm }: Success,
  description: string,
): JsonSchema {
  if (freeForm) return { description, content: { '*/*': { schema: {} } } }
  if (status === 302 || status === 303) return { description, headers: location }
  return schema ? { description, content: content(schema, contentType) } : { description }
}

function requestBody({ body, bodyType }: Operation): JsonSchema {
  if (!body) return {}
  const inner = body instanceof z.ZodOptional ? (body.unwrap() as Schema) : body
  const required = isOptional(body) ? {} : { required: true }
  return { requestBody: { ...required, content: content(inner, bodyType) } }
}

/**
 * The OpenAPI 3.1 document of a table of operations.
 * @param unpublished whether to include operations that are served but not published
 */
export function apiDocument(
  table: OperationTable = operationTable,
  { unpublished = false }: { unpublished?: boolean } = {},
): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [id, operation] of Object.entries(table)) {
    if (operation.unpublished && !unpublished) continue
    paths[operation.path] ??= {}
    paths[operation.path]![operation.method.toLowerCase()] = {
      operationId: id,
      tags: operation.tags,
      summary: operation.summary,
      parameters: [
        ...parameters(operation.params, 'path'),
        ...parameters(operation.query, 'query'),
        ...parameters(operation.headers, 'header'),
      ],
      ...requestBody(operation),
      responses: {
        [operation.success.freeForm ? 'default' : operation.success.status]: response(
          operation.success,
          operation.summary,
        ),
        '4XX': { $ref: '#/components/responses/Error' },
        '5XX': { $ref: '#/components/responses/Error' },
      },
      ...(operation.scan ? { 'x-dropshot-pagination': { required: operation.scan.required } } : {}),
      ...(operation.websocket ? { 'x-dropshot-websocket': {} } : {}),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Steading control plane', version: API_VERSION },
    paths,
    components: {
      schemas: componentSchemas(),
      responses: {
        Error: {
          description: 'Error',
          content: { 'application/json': { schema: { $ref: `${refBase}Error` } } },
        },
      },
    },
  }
}
