/**
 * A worker that calls the server sequentially as another user, and reports each latency. A separate
 * thread, so that the load generator does not delay the measurement.
 */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Milliseconds between an answer and the next call. */
const REST_MS = 20

const { url, cookie } = workerData as { url: string; cookie: string }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const ping = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/me`, { agent, headers: { cookie } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the ping answered ${answer.statusCode}`))
      answer.resume().once('end', resolve)
    })
    sent.once('error', reject).end()
  })

for (;;) {
  const at = performance.now()
  await ping()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
  parentPort!.postMessage(performance.now() - at)
  await pause(REST_MS)
}
