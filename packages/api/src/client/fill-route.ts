import { toQuery, toWire } from './mapping.ts'

export interface AnyArgs {
  path?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
}

/** `/v1/projects/{project}` with its parameters filled in; names are camelCase on our side. */
function fillPath(template: string, values: AnyArgs['path'] = {}): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const key = name.replace(/_([a-z0-9])/g, (_m, letter: string) => letter.toUpperCase())
    return encodeURIComponent(String(values[key] ?? '').toWellFormed())
  })
}

export interface WireRequest {
  verb: string
  /** With its query. */
  path: string
  /** In snake_case. */
  body?: unknown
}

/** A call on the wire, from the method and path of its operation. */
export function fillRoute(route: string, { path, query, body }: AnyArgs): WireRequest {
  const [verb, template] = route.split(' ') as [string, string]
  return {
    verb,
    path: `${fillPath(template, path)}${toQuery(query)}`,
    ...(body === undefined ? {} : { body: toWire(body) }),
  }
}
