/**
 * Whether everything that clients send has a maximum. Work on a request must not begin before its
 * size is known to be limited, and clients read the limits in the document.
 */
import { type JsonSchema, referredName } from './schema.ts'

type Json = Record<string, any>

/** Fixed by their form. */
const fixed = new Set(['boolean', 'integer', 'number', 'null'])

/** Places inside a schema without a maximum. */
function unbounded(schema: Json, schemas: Json, path: string, seen: ReadonlySet<string>): string[] {
  const inside = (part: Json, name: string) => unbounded(part, schemas, `${path}${name}`, seen)
  const name = referredName(schema)
  if (name !== undefined) {
    return seen.has(name) ? [] : unbounded(schemas[name], schemas, path, new Set([...seen, name]))
  }
  if (schema.enum) return []
  const union: Json[] | undefined = schema.oneOf ?? schema.anyOf
  if (union) return union.flatMap((branch) => inside(branch, ''))
  const types: string[] = [schema.type ?? []].flat()
  if (types.length === 0) return 'x-max-values' in schema ? [] : [path]
  return types.flatMap((type) => {
    if (fixed.has(type)) return []
    if (type === 'string') return 'maxLength' in schema || schema.format === 'binary' ? [] : [path]
    if (type === 'array') {
      return [...('maxItems' in schema ? [] : [path]), ...inside(schema.items, '[]')]
    }
    if (schema.properties) {
      return Object.entries<Json>(schema.properties).flatMap(([name, part]) =>
        inside(part, `.${name}`),
      )
    }
    const values = schema.additionalProperties
    return [
      ...('maxProperties' in schema ? [] : [path]),
      ...(typeof values === 'object' ? inside(values as Json, '{}') : []),
    ]
  })
}

/**
 * Texts, lists and maps without a maximum in the parameters and bodies of a document. The operation
 * limits bodies of bytes.
 */
export function unboundedInputs(document: JsonSchema): string[] {
  const { paths, components } = document as { paths: Json; components: Json }
  return Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, operation]) => {
      const where = `${method.toUpperCase()} ${path}`
      const parameters = (operation.parameters as Json[]).flatMap(({ in: place, name, schema }) =>
        unbounded(schema, components.schemas, `${where} ${place} ${name}`, new Set()),
      )
      const bodies = Object.values<Json>(operation.requestBody?.content ?? {})
      return [
        ...parameters,
        ...bodies.flatMap(({ schema }) =>
          unbounded(schema, components.schemas, `${where} body`, new Set()),
        ),
      ]
    }),
  )
}
