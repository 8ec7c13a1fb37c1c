/**
 * Compares our OpenAPI document with the facts of the wire contract, if they are available beside
 * the repository. Implemented operations must match in every parameter and property; missing ones
 * are listed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isJsonObject } from '../src/describe-json.ts'
import { bounds, factsUrl, type Json, shapeOf, text } from './facts.ts'

if (!existsSync(factsUrl)) {
  console.log('conformance: skipped, the facts of the contract are not at hand')
  process.exit(0)
}
const read = (url: URL): Json => JSON.parse(readFileSync(url, 'utf8'))
const facts = read(factsUrl)
const ours = read(new URL('../openapi.json', import.meta.url))

/** Properties dropped from the facts, but read by older clients. */
const kept = { IpPoolUtilization: ['ipv4', 'ipv6'] }
for (const [name, properties] of Object.entries(kept)) {
  const schema = ours.components.schemas[name]
  for (const property of properties) delete schema.properties[property]
  schema.required = schema.required.filter((property: string) => !properties.includes(property))
}

/** Bodies absent from the facts, but sent by clients. */
const keptBodies = ['/experimental/v1/system/support-bundles']
for (const path of keptBodies) delete ours.paths[path].post.requestBody

/** Whether two values are lists of the same length, or objects. */
const haveSameParts = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) ? Array.isArray(b) && a.length === b.length : isJsonObject(a) && isJsonObject(b)

function differences(theirs: unknown, mine: unknown, path: string): string[] {
  if (text(theirs) === text(mine)) return []
  if (!haveSameParts(theirs, mine))
    return [`${path}: expected ${text(theirs)}, found ${text(mine)}`]
  const keys = new Set([...Object.keys(theirs as Json), ...Object.keys(mine as Json)])
  const compared = [...keys].filter((key) => key in (theirs as Json) || !bounds.includes(key))
  return compared.flatMap((key) =>
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
    // A dropped operation may share the id of its successor, but ids are unique in our table.
    const id = operation['x-only-in-user-specification'] ? mine.operationId : operation.operationId
    const found = differences(
      shapeOf({ ...operation, operationId: id }, facts),
      shapeOf(mine, ours),
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
