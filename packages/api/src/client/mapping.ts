import type { ApiErrorBody, ApiResult } from './result.ts'

/** `time_created` → `timeCreated` */
export const camel = (key: string): string =>
  key.replace(/_([a-z0-9])/g, (_, character: string) => character.toUpperCase())
const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

/** Keys to snake_case, dates to ISO text, recursively. */
export function toWire(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(toWire)
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [snake(key), toWire(inner)]),
  )
}

const isTimeKey = (key: string): boolean =>
  key.startsWith('time_') ||
  key.endsWith('_time') ||
  key.endsWith('_expiration') ||
  key.endsWith('_seen') ||
  key === 'timestamp'
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function asDate(text: string): Date | string {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : date
}

/** Keys to camelCase, times in fields that hold times to dates, recursively. */
export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire)
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      camel(key),
      typeof inner === 'string' && isTimeKey(key) && isoTime.test(inner)
        ? asDate(inner)
        : fromWire(inner),
    ]),
  )
}

/** `?a=1&b=2`, or nothing. Null and undefined are dropped, arrays repeat their key. */
export function toQuery(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null) continue
      search.append(snake(key), item instanceof Date ? item.toISOString() : String(item))
    }
  }
  const text = search.toString()
  return text && `?${text}`
}

export async function parseResponse(response: Response): Promise<ApiResult<unknown>> {
  const { status, headers } = response
  const text = await response.text()
  let data: unknown
  try {
    data = text ? fromWire(JSON.parse(text)) : {}
  } catch (error) {
    return { type: 'client_error', status, headers, text, error: error as Error }
  }
  return response.ok
    ? { type: 'success', status, headers, data }
    : { type: 'error', status, headers, data: data as ApiErrorBody }
}
