import { API_VERSION } from '@steading/api/rules'
import type { InstanceParams } from '../instances/queries.ts'

/** Milliseconds between two pictures of a screen that is shown in small. */
const THUMBNAIL_MS = 10_000

const pathOf = ({ project, instance }: InstanceParams, end: 'display' | 'screenshot') =>
  `/x/v1/instances/${encodeURIComponent(instance)}/${end}?${new URLSearchParams({ project })}`

export function displayUrl(params: InstanceParams): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  return `${scheme}://${location.host}${pathOf(params, 'display')}`
}

/** The message of a refusal, or a general one. */
async function refusalOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  const { message } = Object(body) as { message?: unknown }
  return typeof message === 'string' ? message : `the server answered with ${response.status}`
}

/**
 * The picture of a screen, read again at intervals while the page is visible. The typed client
 * reads JSON only.
 */
export const screenshotQuery = (params: InstanceParams) => ({
  queryKey: ['instanceScreenshot', params] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Blob> => {
    const response = await fetch(pathOf(params, 'screenshot'), {
      headers: { 'api-version': API_VERSION },
      signal,
    })
    if (!response.ok) throw new Error(await refusalOf(response))
    return response.blob()
  },
  refetchInterval: THUMBNAIL_MS,
  retry: false,
})
