import { mountConsole } from '@steading/console/src/app.tsx'
import { setDemoPeople, setDemoProvider } from '@steading/console/src/identity/session/demo.ts'
import { buttonClass } from '@steading/console/src/ui/button.tsx'
import { SESSION_COOKIE } from '@steading/api/rules'
import { chaosOf } from './host/chaos.ts'
import { createCookieJar } from './host/cookie-jar.ts'
import { delay } from './host/delay.ts'
import { completeCrypto } from './host/insecure-context.ts'
import { ask, createPageFetch } from './host/page-fetch.ts'
import { toWire } from './host/page-request.ts'
import { createPageSockets } from './host/page-socket.ts'
import { readVisitor, visitorCookie } from './host/visitor.ts'
import { createVisits } from './host/visits.ts'
import { builtCloud } from './load/built-cloud.ts'
import { download } from './load/download.ts'
import { showFailure } from './load/failure.ts'
import { createProgress, hideProgress } from './load/progress.ts'
import './load/load.css'
import { PROVIDER, users } from './provider/provider.ts'
import { signInThrough } from './provider/sign-in.ts'
import { people } from './seed/people.ts'
import { hostTour } from './tour/host.ts'
import { type RemoteControlPlane, callThrough } from './worker/call.ts'

const visitor = readVisitor(document.cookie)
const jar = createCookieJar((name, token) => {
  if (name === SESSION_COOKIE) void rememberVisitor(token)
})

/**
 * Starts the worker with the control plane, and its cloud. Separate from the console, so that the
 * first paint does not wait for it.
 */
async function attempt(cache: RequestCache): Promise<RemoteControlPlane> {
  const arrived = createProgress()
  await completeCrypto()
  const worker = new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' })
  const broken = new Promise<never>((_, reject) => {
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
  })
  worker.addEventListener('message', () => arrived('code'), { once: true })
  const called = callThrough(worker)
  try {
    const file = download(builtCloud, cache, (share) => arrived('cloud', share))
    const { buffer } = await Promise.race([file, broken])
    const place = { file: buffer, now: Date.now(), origin: location.origin }
    await Promise.race([called.start(place), broken])
    if (visitor !== '') {
      const token = await called.signIn(visitor)
      jar.set(SESSION_COOKIE, token)
      visits.isSignedIn(await nameOfUser(called), token)
    }
    return called
  } catch (error) {
    worker.terminate()
    throw error
  }
}

/** Tries until it succeeds; calls wait meanwhile. */
async function startControlPlane(): Promise<RemoteControlPlane> {
  for (let cache: RequestCache = 'default'; ; cache = 'reload') {
    hideProgress(false)
    const result = await attempt(cache).catch((error: unknown) => ({ error }))
    hideProgress(true)
    if (!('error' in result)) return result
    console.error(result.error)
    await showFailure(result.error, buttonClass('primary'))
  }
}

/** The display name of the signed-in user. */
async function nameOfUser(controlPlane: RemoteControlPlane): Promise<string> {
  const response = await ask(controlPlane, jar, new Request('/v1/me'))
  return ((await response.json()) as { display_name: string }).display_name
}

const visits = createVisits(
  jar,
  async (name) => (await ready).signIn(name),
  async () => (await ask(await ready, jar, new Request('/v1/me'))).ok,
  (cookie) => void (document.cookie = cookie),
)

/** Stores the signed-in user, or their absence, for the next load of the page. */
async function rememberVisitor(token: string | undefined): Promise<void> {
  if (token === undefined) {
    document.cookie = visitorCookie('')
    return
  }
  const name = await nameOfUser(await ready)
  visits.isSignedIn(name, token)
  document.cookie = visitorCookie(name)
}

/** Follows the control plane's redirect for this page, if any. */
async function followRedirect(): Promise<void> {
  const controlPlane = await ready
  const request = await toWire(new Request(location.href), jar.header())
  const target = (await controlPlane.consolePage(request))?.headers.get('location')
  if (target) history.replaceState(null, '', target)
}

const ready = startControlPlane()
let hasBegun = false
globalThis.fetch = createPageFetch({
  ready,
  jar,
  location,
  fetch: globalThis.fetch.bind(globalThis),
  chaosPercent: chaosOf(location.search, sessionStorage),
  session: visits.session,
  // The first page has waited for the control plane already.
  wait: async (ms, signal) => (hasBegun ? delay(ms, signal) : undefined),
})
globalThis.WebSocket = createPageSockets({ ready, jar, location, WebSocket: globalThis.WebSocket })

/** Shows the console. */
async function open(): Promise<void> {
  // A signed-in user sees the console while the control plane is still starting.
  if (visitor === '' || location.pathname === '/login') await followRedirect()
  const { begin, router } = await mountConsole(document.querySelector<HTMLElement>('#root')!)
  hasBegun = true
  hostTour({
    here: () => router.state.location.href,
    go: (path) => router.history.push(path),
    onArrival: (arrived) => router.subscribe('onRendered', arrived),
  })
  setDemoProvider({
    ...PROVIDER,
    people: users.map(({ name, shows }) => ({ name, role: shows })),
    signIn: async (path, name) => {
      const controlPlane = await ready
      const asking = (request: Request) => ask(controlPlane, jar, request)
      return signInThrough(
        asking,
        location.origin,
        path,
        users.find((user) => user.name === name)!,
      )
    },
  })
  setDemoPeople(
    people.flatMap(({ name, visitAs }) => (visitAs ? [{ name, role: visitAs }] : [])),
    async (name) => {
      await visits.become(name)
      await begin(/^\/(login|system)(\/|$)/.test(location.pathname) ? '/projects' : undefined)
    },
  )
}

void open()
