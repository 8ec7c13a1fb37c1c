/** The document of the API, as its pages read it. */
import document from '../../packages/api/openapi.json' with { type: 'json' }

export interface Schema {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  pattern?: string
}

export interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: Schema
}

export interface Call {
  operationId: string
  tags: string[]
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>
}

/** All types, by name. */
export const apiSchemas = document.components.schemas as unknown as Record<string, Schema>

/** The name of a type, from a reference to it. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

const HIDDEN = 'hidden'

/** All calls, except those that only browsers make while signing in. */
export function apiCalls(): { method: string; path: string; call: Call }[] {
  const paths = document.paths as unknown as Record<string, Record<string, Call>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] !== HIDDEN)
      .map(([method, call]) => ({ method, path, call })),
  )
}
