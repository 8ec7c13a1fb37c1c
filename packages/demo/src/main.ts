import { mountConsole } from '@steading/console/src/app.tsx'
import { SESSION_COOKIE } from '@steading/api/rules'
import { chaosOf } from './host/chaos.ts'
import { createCookieJar } from './host/cookie-jar.ts'
import { ask, createPageFetch } from './host/page-fetch.ts'
import { toWire } from './host/page-request.ts'
import { createPageSockets } from './host/page-socket.ts'
import { readVisitor, visitorCookie } from './host/visitor.ts'

const visitor = readVisitor(document.cookie)
const jar = createCookieJar((name, token) => {
  if (name === SESSION_COOKIE) void rememberVisitor(token)
})

/** Milliseconds to wait for a paint; pages in the background are not painted at all. */
const NO_PAINT_MS = 100

/** When what has been rendered is on the screen. */
const nextPaint = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, NO_PAINT_MS)
  })

/** Apart from the console, so that the first paint does not wait for it. */
async function startControlPlane() {
  const { start, signIn } = await import('./start.ts')
  await nextPaint()
  const controlPlane = await start()
  if (visitor !== '') jar.set(SESSION_COOKIE, await signIn(controlPlane, visitor))
  return controlPlane
}

/** Remembers the signed-in user, or that there is none, for the next load of the page. */
async function rememberVisitor(token: string | undefined): Promise<void> {
  if (token === undefined) {
    document.cookie = visitorCookie('')
    return
  }
  const response = await ask(await ready, jar, new Request('/v1/me'))
  const { display_name } = (await response.json()) as { display_name: string }
  document.cookie = visitorCookie(display_name)
}

/** Follows the redirect of the control plane for this page, if there is one. */
async function followRedirect(): Promise<void> {
  const controlPlane = await ready
  const request = await toWire(new Request(location.href), jar.header())
  const target = (await controlPlane.consolePage(request))?.headers.get('location')
  if (target) history.replaceState(null, '', target)
}

const ready = startControlPlane()
globalThis.fetch = createPageFetch({
  ready,
  jar,
  location,
  fetch: globalThis.fetch.bind(globalThis),
  chaosPercent: chaosOf(location.search, sessionStorage),
})
globalThis.WebSocket = createPageSockets({ ready, jar, location, WebSocket: globalThis.WebSocket })

// A signed-in user sees the console while the control plane still starts.
if (visitor === '' || location.pathname === '/login') await followRedirect()
await mountConsole(document.querySelector<HTMLElement>('#root')!)
