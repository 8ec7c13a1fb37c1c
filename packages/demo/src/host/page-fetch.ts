import { isApiPath, isConsolePath } from '@steading/api/rules'
import { chaos, outage } from './chaos.ts'
import type { CookieJar } from './cookie-jar.ts'
import { delay, latency } from './delay.ts'
import { toWire } from './page-request.ts'
import type { ControlPlaneCalls } from '../worker/protocol.ts'

export const CLIENT_ADDRESS = '127.0.0.1'

/** Streams open without a delay. */
const isStream = (url: URL): boolean => url.pathname === '/x/v1/events'

/** Whether a request is for the control plane; all others are for files of the site. */
const isForControlPlane = (url: URL, method: string, origin: string): boolean =>
  url.origin === origin &&
  (isApiPath(url.pathname) || (method !== 'GET' && isConsolePath(url.pathname)))

/** Calls the control plane without a delay. */
export async function ask(
  controlPlane: ControlPlaneCalls,
  jar: CookieJar,
  request: Request,
): Promise<Response> {
  return controlPlane.fetch(await toWire(request, jar.header()), {
    clientAddress: CLIENT_ADDRESS,
    setCookie: jar.store,
  })
}

export interface PageFetchOptions {
  ready: Promise<ControlPlaneCalls>
  jar: CookieJar
  /** Location of the site. */
  location: { origin: string; href: string }
  /** The browser's own `fetch`. */
  fetch: typeof fetch
  /** Percentage of requests that fail. */
  chaosPercent: number
  /** Aborted when the user changes, which ends the streams of the previous user. */
  session?: () => AbortSignal
  wait?: typeof delay
}

/**
 * A `fetch` that sends requests to the control plane of the demo, with the latency of a network.
 */
export function createPageFetch(options: PageFetchOptions): typeof fetch {
  const { ready, jar, location, chaosPercent, wait = delay } = options
  return async (input, init) => {
    const target = input instanceof Request ? input.url : input
    const url = new URL(target, location.href)
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    if (!isForControlPlane(url, method, location.origin)) return options.fetch(input, init)

    const asked = new Request(input instanceof Request ? input : url, init)
    const session = isStream(url) && options.session?.()
    const request = session
      ? new Request(asked, { signal: AbortSignal.any([asked.signal, session]) })
      : asked
    // Early requests take as long as the start of the control plane or the delay, whichever is
    // longer.
    const [controlPlane] = await Promise.all([
      ready,
      isStream(url) ? undefined : wait(latency(), request.signal),
    ])
    return chaos(chaosPercent) ?? outage(url) ?? ask(controlPlane, jar, request)
  }
}
