import * as z from 'zod'
import { operationTable } from './operations.ts'
import { API_VERSION } from './rules/limits.ts'
import {
  type Fields,
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

/** Scalars show what they were declared with; literals of tagged unions become one-word enums. */
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
  delete jsonSchema.propertyNames
}

const schemaOptions = {
  target: 'draft-2020-12',
  io: 'input',
  unrepresentable: 'any',
  override: overrideForm,
} as const

/** Plain data, without the markers zod leaves on what it makes. */
function plain(schema: JsonSchema): JsonSchema {
  const { $schema: _schema, $id: _id, ...rest } = JSON.parse(JSON.stringify(schema)) as JsonSchema
  return rest
}

function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(namedSchemas, { ...schemaOptions, uri: (id) => refBase + id })
  const sorted = Object.entries(schemas as Record<string, JsonSchema>).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return Object.fromEntries(sorted.map(([id, schema]) => [id, plain(schema)]))
}

/** A parameter or body in place: a reference if it has a name, else its own form. */
function schemaInPlace(schema: Schema): JsonSchema {
  const id = namedSchemas.get(schema)?.id
  if (id) return { $ref: refBase + id }
  if (schema instanceof z.ZodNullable) {
    return { anyOf: [schemaInPlace(schema.unwrap() as Schema), { type: 'null' }] }
  }
  const form = wireForm(schema)
  if (!form) throw new Error('A parameter or body must be a scalar or have a name')
  return form
}

const isOptional = (schema: Schema): boolean => schema._zod.optin === 'optional'

function parameters(fields: Fields | undefined, where: 'path' | 'query'): JsonSchema[] {
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

const rawBody: JsonSchema = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
}

/** The OpenAPI 3.1 document of everything in the operation table. */
export function apiDocument(): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [id, operation] of Object.entries(operationTable)) {
    const { success } = operation
    paths[operation.path] ??= {}
    paths[operation.path]![operation.method.toLowerCase()] = {
      operationId: id,
      tags: operation.tags,
      summary: operation.summary,
      parameters: [
        ...parameters(operation.params, 'path'),
        ...parameters(operation.query, 'query'),
      ],
      ...(operation.body
        ? { requestBody: { required: true, content: content(operation.body) } }
        : {}),
      ...(operation.rawBody ? { requestBody: rawBody } : {}),
      responses: {
        [success.status]: {
          description: operation.summary,
          ...(success.schema ? { content: content(success.schema, success.contentType) } : {}),
        },
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
