import init from '@sqlite.org/sqlite-wasm'
import { SESSION_COOKIE } from '@steading/api/rules'
import type { ControlPlane } from '@steading/control-plane'
import { signIn, startDemo as startOpened } from '../../src/demo.ts'
import { openCloud } from '../../src/file/open.ts'
import { createCookieJar, type CookieJar } from '../../src/host/cookie-jar.ts'
import { createPageFetch } from '../../src/host/page-fetch.ts'
import { createPageSockets } from '../../src/host/page-socket.ts'
import { callThrough } from '../../src/worker/call.ts'
import type { LaterCall } from '../../src/worker/protocol.ts'
import { serve } from '../../src/worker/serve.ts'
import { filledCloud } from './filled.ts'

export const ORIGIN = 'http://demo.test'

/** The demo without a browser page. */
export interface Page {
  controlPlane: ControlPlane
  jar: CookieJar
  fetch: typeof fetch
  WebSocket: typeof WebSocket
  /** Requests to the network. */
  sent: string[]
}

/** Opens the filled cloud as a page does. */
export async function startDemo(): Promise<ControlPlane> {
  const sqlite = await init()
  const file = await filledCloud(sqlite)
  return startOpened(openCloud(sqlite, file, { now: new Date(), origin: ORIGIN }))
}

/** Calls a control plane by messages, as the page calls its worker. */
const byMessages = (controlPlane: ControlPlane) =>
  callThrough({
    postMessage({ port, ...call }: LaterCall & { port: MessagePort }) {
      void serve(controlPlane, call as LaterCall, port, (name) => signIn(controlPlane, name))
    },
  })

export async function openPage(
  controlPlane: ControlPlane,
  { visitor, chaosPercent = 0 }: { visitor?: string; chaosPercent?: number } = {},
): Promise<Page> {
  const jar = createCookieJar()
  if (visitor !== '') jar.set(SESSION_COOKIE, await signIn(controlPlane, visitor))
  const sent: string[] = []
  const location = { origin: ORIGIN, host: new URL(ORIGIN).host, href: `${ORIGIN}/projects` }
  const shared = {
    ready: Promise.resolve(byMessages(controlPlane)),
    jar,
    location,
    wait: async () => {},
  }
  return {
    controlPlane,
    jar,
    sent,
    fetch: createPageFetch({
      ...shared,
      chaosPercent,
      fetch: async (input) => {
        sent.push(input instanceof Request ? input.url : String(input))
        return new Response('from the network')
      },
    }),
    WebSocket: createPageSockets({
      ...shared,
      WebSocket: function NetworkSocket(url: string) {
        sent.push(url)
      } as unknown as typeof WebSocket,
    }),
  }
}
