import { seedInstances } from './seed.ts'
import { sized } from './smoke.ts'

const COUNT = sized(500, 20)
/** Concurrent calls, as a script in a hurry makes them. */
const CALLERS = 10
const PROJECT = 'bulk'

type Send = (method: string, path: string, body?: object) => Promise<any>

/** Milliseconds until all calls were accepted, and until all were completed. */
interface Times {
  accepted: number
  ended: number
}

export interface JobFigures {
  count: number
  callers: number
  job: Times
  single: Times
}

export const seedJobs = (data: string): void => seedInstances(data, PROJECT, COUNT, 1)

const sender =
  (url: string, cookie: string): Send =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text && JSON.parse(text)
  }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function run(send: Send, action: 'start' | 'stop'): Promise<Times> {
  const target = { type: 'matching', query: {} }
  const body = { action, kind: 'instance', project: PROJECT, target }
  let job = await send('POST', '/x/v1/jobs', body)
  const began = performance.now()
  job = await send('POST', `/x/v1/jobs/${job.id}/start`)
  let accepted: number | undefined
  while (job.state !== 'done') {
    await pause(10)
    job = await send('GET', `/x/v1/jobs/${job.id}`)
    if (job.counts.waiting === 0) accepted ??= performance.now() - began
  }
  if (job.counts.succeeded !== COUNT) throw new Error(`the job ended: ${JSON.stringify(job)}`)
  return { accepted: accepted!, ended: performance.now() - began }
}

async function stopEach(send: Send): Promise<Times> {
  const list = `/v1/instances?project=${PROJECT}&limit=${COUNT}`
  const { items } = await send('GET', list)
  const began = performance.now()
  const worker = async () => {
    for (let next = items.pop(); next; next = items.pop()) {
      await send('POST', `/v1/instances/${next.id}/stop`)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, worker))
  const accepted = performance.now() - began
  for (;;) {
    const now = (await send('GET', list)).items as { run_state: string }[]
    if (now.every(({ run_state }) => run_state === 'stopped')) break
    await pause(50)
  }
  return { accepted, ended: performance.now() - began }
}

/** Stops many instances with a job, and again one by one. */
export async function jobFigures(url: string, cookie: string): Promise<JobFigures> {
  const send = sender(url, cookie)
  await run(send, 'start')
  const job = await run(send, 'stop')
  await run(send, 'start')
  return { count: COUNT, callers: CALLERS, job, single: await stopEach(send) }
}
