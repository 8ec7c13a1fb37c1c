/** The facts of the wire contract, if available, and the comparison of operations with them. */
import { referredName } from '../src/schema.ts'
import type { Shape } from '../src/shape.ts'

export type Json = Record<string, any>

/** Beside the repository. */
export const factsUrl = new URL('../../../../shared/api/openapi-facts.json', import.meta.url)
/** The same for each published version. */
export const versionFactsUrl = new URL('version-facts.json', factsUrl)

const comparedKeys = [
  'type',
  'format',
  'enum',
  'default',
  'minimum',
  'maximum',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'maxProperties',
]

/** Normalizes differences between OpenAPI 3.0 and 3.1 (null, one-word enums, unions). */
function normal(schema: Json, root: Json, seen: string[] = []): unknown {
  const name = referredName(schema)
  if (name !== undefined) {
    const target = seen.includes(name)
      ? { recursive: name }
      : (normal(root.components.schemas[name], root, [...seen, name]) as Json)
    return merge(target, schema)
  }
  const union: Json[] | undefined = schema.oneOf ?? schema.anyOf
  if (union?.some((branch) => branch.type === 'null')) {
    const rest = union.filter((branch) => branch.type !== 'null')
    const inner = rest.length === 1 ? rest[0]! : { oneOf: rest }
    return merge({ ...(normal(inner, root, seen) as Json), nullable: true }, schema)
  }
  const result: Json = {}
  for (const key of comparedKeys) if (key in schema) result[key] = schema[key]
  if (Array.isArray(schema.type)) {
    const [type] = schema.type.filter((name: string) => name !== 'null')
    Object.assign(result, { type, nullable: true })
  }
  if (schema.nullable) result.nullable = true
  if (union)
    result.oneOf = union
      .map((branch) => normal(branch, root, seen))
      .map(sortKeys)
      .toSorted(byText)
  if (schema.items) result.items = normal(schema.items, root, seen)
  if (schema.additionalProperties)
    result.additionalProperties = normal(schema.additionalProperties, root, seen)
  if (schema.properties) {
    result.properties = Object.fromEntries(
      Object.entries<Json>(schema.properties).map(([key, value]) => [
        key,
        normal(value, root, seen),
      ]),
    )
    result.required = (schema.required ?? []).toSorted()
  }
  return result
}

const merge = (target: Json, schema: Json): Json => ({
  ...target,
  ...('default' in schema ? { default: schema.default } : {}),
  ...(schema.nullable ? { nullable: true } : {}),
})

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sortKeys(v)]),
  )
}
export const text = (value: unknown) => JSON.stringify(sortKeys(value))
/** Maxima, which ours may have where the contract has none. */
export const bounds = ['maxItems', 'maxLength', 'maxProperties']
const withoutBounds = (value: unknown): string =>
  JSON.stringify(sortKeys(value), (key, part: unknown) => (bounds.includes(key) ? undefined : part))
/** Added bounds leave the order of branches as it is. */
const byText = (a: unknown, b: unknown) => (withoutBounds(a) < withoutBounds(b) ? -1 : 1)

/**
 * A schema in the notation of `Shape`, which has `anything` for a schema without a type. Null is spelled
 * as in OpenAPI 3.0 or 3.1.
 */
export function schemaShape(schema: Json): Shape {
  const { nullable, ...rest } = schema
  if (nullable) return { '?': schemaShape(rest) }
  const name = referredName(schema)
  if (name !== undefined) return name
  const union: Json[] | undefined = schema.oneOf ?? schema.anyOf
  if (union) {
    const branches = union.filter(({ type }) => type !== 'null').map(schemaShape)
    const shape = branches.length > 1 ? { '|': branches } : branches[0]!
    return branches.length < union.length ? { '?': shape } : shape
  }
  if (schema.enum) return { '=': schema.enum }
  if (Array.isArray(schema.type)) return { '?': schemaShape({ ...schema, type: schema.type[0] }) }
  if (schema.type === 'array') return { '[]': schemaShape(schema.items) }
  if (schema.properties) {
    const required: string[] = schema.required ?? []
    return Object.fromEntries(
      Object.entries<Json>(schema.properties).map(([property, form]) => [
        required.includes(property) ? property : `${property}?`,
        schemaShape(form),
      ]),
    )
  }
  if (schema.type === 'object') return { '*': schemaShape(schema.additionalProperties ?? {}) }
  return schema.type ?? 'anything'
}

const parametersOf = (operation: Json, root: Json) =>
  Object.fromEntries(
    (operation.parameters ?? []).map((p: Json) => [
      `${p.in} ${p.name}`,
      { required: p.required ?? false, schema: normal(p.schema, root) },
    ]),
  )
const contentOf = (content: Json | undefined, root: Json) =>
  Object.fromEntries(
    Object.entries<Json>(content ?? {}).map(([type, { schema }]) => [type, normal(schema, root)]),
  )
const responsesOf = (operation: Json, root: Json) =>
  Object.fromEntries(
    Object.entries<Json>(operation.responses)
      .filter(([status]) => !status.endsWith('XX'))
      .map(([status, response]) => [
        status,
        { content: contentOf(response.content, root), headers: response.headers ?? {} },
      ]),
  )

/**
 * The parts of an operation that matter on the wire.
 * @param root document of the operation
 */
export const shapeOf = (operation: Json, root: Json): Json => ({
  id: operation.operationId,
  tags: operation.tags,
  parameters: parametersOf(operation, root),
  body: contentOf(operation.requestBody?.content, root),
  responses: responsesOf(operation, root),
  pagination: operation['x-dropshot-pagination'] ?? null,
  websocket: operation['x-dropshot-websocket'] ?? null,
})
