import { errors, type ErrorTemplate } from '@steading/api/rules'

const KEY = 'chaos'

/** Failures with their frequency out of ten. */
const failures: [ErrorTemplate, number][] = [
  [errors.notFoundGeneric('Not Found'), 5],
  [errors.forbidden(), 2],
  [errors.internal(), 2],
  [errors.unauthorized(), 1],
]
const wheel = failures.flatMap(([failure, share]) => Array<ErrorTemplate>(share).fill(failure))

const percentage = (text: string | null): number => {
  const value = Number(text ?? 0)
  return value >= 0 && value <= 100 ? value : 0
}

/**
 * Percentage of requests to fail: `?chaos=20` in the address, remembered until the tab is closed.
 */
export function chaosOf(search: string, storage: Pick<Storage, 'getItem' | 'setItem'>): number {
  const asked = new URLSearchParams(search).get(KEY)
  if (asked !== null) storage.setItem(KEY, String(percentage(asked)))
  return percentage(storage.getItem(KEY))
}

function failed({ status, ...body }: ErrorTemplate, headers: Record<string, string>): Response {
  const request_id = crypto.randomUUID()
  return Response.json(
    { request_id, ...body },
    { status, headers: { ...headers, 'x-request-id': request_id } },
  )
}

/** A random failure for a percentage of the requests. */
export const chaos = (percent: number, random = Math.random): Response | undefined =>
  random() * 100 < percent
    ? failed(wheel[Math.floor(random() * wheel.length)]!, { 'x-chaos': `${percent}%` })
    : undefined

/** Requests about a project with such a name fail, for demonstration. */
const outOfOrder = /error-503$/

/** Failure of a request about such a project. */
export function outage(url: URL): Response | undefined {
  const [, project] = /^\/v1\/projects\/([^/]+)/.exec(url.pathname) ?? []
  const named = [project, url.searchParams.get('project')]
  return named.some((name) => name && outOfOrder.test(name))
    ? failed(errors.unavailable(), {})
    : undefined
}
