import autocannon from 'autocannon'
import { median } from './median.ts'
import { sized } from './smoke.ts'

export interface Load {
  perSecond: number
  p50: number
  p99: number
}

const CONNECTIONS = 10
const SECONDS = sized(3, 0.2)
const ROUNDS = sized(3, 1)

/** Loads one address for a few seconds. Latencies in milliseconds. */
async function load(url: string, headers: Record<string, string>): Promise<Load> {
  const { requests, latency, non2xx } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers,
  })
  if (non2xx > 0) throw new Error(`${url} answered ${non2xx} times with something else`)
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

/** Median of three loads, after a warm-up. */
export async function medianLoad(url: string, cookie: string): Promise<Load> {
  await load(url, { cookie })
  const loads: Load[] = []
  for (let round = 0; round < ROUNDS; round++) loads.push(await load(url, { cookie }))
  return {
    perSecond: median(loads.map(({ perSecond }) => perSecond)),
    p50: median(loads.map(({ p50 }) => p50)),
    p99: median(loads.map(({ p99 }) => p99)),
  }
}

const CALLS = 200

/** Sequential calls, a fixed number of times or for a few seconds, after a warm-up. */
export async function serialLoad(url: string, cookie: string): Promise<Load> {
  const times: number[] = []
  const began = performance.now()
  const warmUp = 5
  const isActive = () => times.length < 5 || performance.now() - began < SECONDS * 1000
  for (let call = 0; call < CALLS + warmUp && isActive(); call++) {
    const at = performance.now()
    const response = await fetch(url, { headers: { cookie } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    if (call >= warmUp) times.push(performance.now() - at)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return {
    perSecond: (times.length / times.reduce((sum, time) => sum + time, 0)) * 1000,
    p50: median(times),
    p99: sorted[Math.floor(sorted.length * 0.99)]!,
  }
}

/** Creates and deletes an instance without disks in a loop. */
export async function createDeletePairs(
  url: string,
  cookie: string,
  project: string,
): Promise<Load> {
  const headers = { cookie, 'content-type': 'application/json' }
  const times: number[] = []
  const began = performance.now()
  for (let pair = 0; performance.now() - began < SECONDS * 1000; pair++) {
    const at = performance.now()
    const name = `pair-${pair}`
    const body = { name, description: '', ncpus: 1, memory: 2 ** 30, hostname: name, start: false }
    const created = await fetch(`${url}/v1/instances?project=${project}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    await created.arrayBuffer()
    const deleted = await fetch(`${url}/v1/instances/${name}?project=${project}`, {
      method: 'DELETE',
      headers,
    })
    if (created.status !== 201 || deleted.status !== 204) {
      throw new Error(`a pair answered ${created.status} and ${deleted.status}`)
    }
    times.push(performance.now() - at)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return {
    perSecond: times.length / ((performance.now() - began) / 1000),
    p50: median(times),
    p99: sorted[Math.floor(sorted.length * 0.99)]!,
  }
}

/**
 * Pings in the background, to measure the latency of others' calls.
 * @returns function that ends it
 */
export function watchOthers(address: string): () => Promise<Omit<Load, 'perSecond'>> {
  const ping = `${address}/v1/ping`
  let isActive = true
  const times: number[] = []
  const calls = (async () => {
    while (isActive) {
      const at = performance.now()
      const response = await fetch(ping)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${ping} answered ${response.status}`)
      times.push(performance.now() - at)
    }
  })()
  return async () => {
    isActive = false
    await calls
    const sorted = times.toSorted((a, b) => a - b)
    return { p50: median(sorted), p99: sorted[Math.floor(sorted.length * 0.99)]! }
  }
}
