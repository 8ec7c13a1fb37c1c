/**
 * Compares our OpenAPI document with the facts of the wire contract, when they are at hand beside
 * the repository. What is implemented must match in every operation, parameter and property; what
 * is not is listed.
 */
import { existsSync, readFileSync } from 'node:fs'

type Json = Record<string, any>

const factsUrl = new URL('../../../../shared/api/openapi-facts.json', import.meta.url)
if (!existsSync(factsUrl)) {
  console.log('conformance: skipped, the facts of the contract are not at hand')
  process.exit(0)
}
const read = (url: URL): Json => JSON.parse(readFileSync(url, 'utf8'))
const facts = read(factsUrl)
const ours = read(new URL('../openapi.json', import.meta.url))

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
]

/** One spelling for what OpenAPI 3.0 and 3.1 write differently (null, one-word enums, unions). */
function normal(schema: Json, root: Json, seen: string[] = []): unknown {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)
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
const text = (value: unknown) => JSON.stringify(sortKeys(value))
const byText = (a: unknown, b: unknown) => (text(a) < text(b) ? -1 : 1)

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
      .map(([status, response]) => [status, contentOf(response.content, root)]),
  )

const shape = (operation: Json, root: Json): Json => ({
  id: operation.operationId,
  tags: operation.tags,
  parameters: parametersOf(operation, root),
  body: contentOf(operation.requestBody?.content, root),
  responses: responsesOf(operation, root),
  pagination: operation['x-dropshot-pagination'] ?? null,
  websocket: operation['x-dropshot-websocket'] ?? null,
})

function differences(theirs: unknown, mine: unknown, path: string): string[] {
  if (text(theirs) === text(mine)) return []
  const both = [theirs, mine].every((v) => typeof v === 'object' && v !== null && !Array.isArray(v))
  if (!both) return [`${path}: expected ${text(theirs)}, found ${text(mine)}`]
  const keys = new Set([...Object.keys(theirs as Json), ...Object.keys(mine as Json)])
  return [...keys].flatMap((key) =>
    differences((theirs as Json)[key], (mine as Json)[key], `${path} › ${key}`),
  )
}

const wrong: string[] = []
const absent: string[] = []
let matched = 0
for (const [path, methods] of Object.entries<Json>(facts.paths)) {
  for (const [method, operation] of Object.entries<Json>(methods)) {
    const mine = ours.paths[path]?.[method]
    if (!mine) {
      absent.push(`${method.toUpperCase()} ${path}`)
      continue
    }
    const found = differences(
      shape(operation, facts),
      shape(mine, ours),
      `${method.toUpperCase()} ${path}`,
    )
    if (found.length === 0) matched++
    wrong.push(...found)
  }
}
const unknown = Object.entries<Json>(ours.paths).flatMap(([path, methods]) =>
  Object.keys(methods)
    .filter((method) => !path.startsWith('/x/') && !facts.paths[path]?.[method])
    .map((method) => `${method.toUpperCase()} ${path}: not in the contract`),
)
wrong.push(...unknown)

const total = matched + absent.length + new Set(wrong.map((line) => line.split(' › ')[0])).size
if (process.argv.includes('--absent'))
  console.log(absent.map((line) => `absent: ${line}`).join('\n'))
console.log(
  `conformance: ${matched} of ${total} operations implemented and identical, ${absent.length} absent (list them with --absent)`,
)
if (wrong.length > 0) {
  console.error(wrong.join('\n'))
  process.exit(1)
}
