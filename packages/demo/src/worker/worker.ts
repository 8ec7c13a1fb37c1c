/** A worker with the control plane of the demo: typing and scrolling in the page never wait for it. */
import type { ControlPlane } from '@steading/control-plane'
import { signIn, startDemo } from '../demo.ts'
import { openCloud } from '../file/open.ts'
import { completeCrypto } from '../host/insecure-context.ts'
import { loadSqlite } from '../host/load-sqlite.ts'
import type { Call, Reply } from './protocol.ts'
import { serve } from './serve.ts'

const sqlite = loadSqlite()
// A failure is reported to the call that starts.
sqlite.catch(() => {})
const started = Promise.withResolvers<ControlPlane>()
/** Milliseconds by which the clock of the page, which tests may set, is ahead. */
let ahead = 0
const clock = () => new Date(Date.now() + ahead)

async function start({ file, now, origin }: Extract<Call, { call: 'start' }>) {
  await completeCrypto()
  ahead = now - Date.now()
  const place = { now: clock(), origin }
  return startDemo(openCloud(await sqlite, new Uint8Array(file), place), clock)
}

postMessage('loaded')

addEventListener('message', async ({ data }: MessageEvent<Call & { port: MessagePort }>) => {
  const { port, ...call } = data
  if (call.call !== 'start') {
    const controlPlane = await started.promise
    return serve(controlPlane, call, port, (name) => signIn(controlPlane, name, clock()))
  }
  try {
    started.resolve(await start(call))
    port.postMessage({ result: undefined } satisfies Reply)
  } catch (error) {
    const { name, message } = error as Error
    port.postMessage({ error: { name, message } } satisfies Reply)
  }
})
