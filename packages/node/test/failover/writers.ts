/** Users who write without a pause, and remember the answers. */
import { setTimeout as pause } from 'node:timers/promises'
import { changeSavedMessage, outcomeUnknownMessage } from '@steading/api/rules'
import { random } from '../../../control-plane/test/support/random.ts'
import type { Ask } from '../kill/leaks.ts'

/** One call that creates something with a name of its own. */
export interface Write {
  name: string
  kind: Kind
  /** Milliseconds of the monotonic clock. */
  began: number
  ended: number
  /** 0 if there was no answer. */
  status: number
  message: string
  /** Seconds after which the answer says to try again; undefined if it does not say. */
  retryAfter?: number
}

/** Writes in transactions that run beside others, and in those that run alone. */
const kinds = {
  project: (name: string) => ({ path: '/v1/projects', body: { name, description: '' } }),
  disk: (name: string) => ({
    path: '/v1/disks?project=work',
    body: {
      name,
      description: '',
      size: 2 ** 30,
      disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } },
    },
  }),
  ssh_key: (name: string) => ({
    path: '/v1/me/ssh-keys',
    body: { name, description: '', public_key: 'ssh-ed25519 A' },
  }),
}
type Kind = keyof typeof kinds
/** The tables of what is written. */
export const kindsOfWrites = Object.keys(kinds) as Kind[]

/** A call without an answer by then is given up by its client. */
const GIVEN_UP_MS = 60_000

export interface Writers {
  writes: readonly Write[]
  /** Waits for a number of further writes that are acknowledged. */
  acknowledged: (count: number) => Promise<void>
  stop: () => Promise<readonly Write[]>
}

/**
 * @param servers the URLs of the present servers, which may change
 * @param betweenMs pause of a writer after each call
 * @param choice what is written, each with the same frequency
 */
export function startWriters(
  servers: () => readonly string[],
  cookie: string,
  { writers = 8, betweenMs = 40, choice = kindsOfWrites as readonly Kind[] } = {},
): Writers {
  const writes: Write[] = []
  const run = Math.floor(random() * 2 ** 32).toString(36)
  let count = 0
  let stopped = false
  let listeners: (() => void)[] = []

  const write = async (kind: Kind) => {
    const name = `w-${run}-${count++}`
    const { path, body } = kinds[kind](name)
    const all = servers()
    const url = all[Math.floor(random() * all.length)]! + path
    const began = performance.now()
    const done = (answer: Pick<Write, 'status' | 'message' | 'retryAfter'>) => {
      writes.push({ name, kind, began, ended: performance.now(), ...answer })
      if (answer.status === 201) for (const listener of listeners) listener()
    }
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(GIVEN_UP_MS),
      })
      const { message = '' } = (await response.json()) as { message?: string }
      const retryAfter = response.headers.get('retry-after')
      done({
        status: response.status,
        message,
        ...(retryAfter !== null && { retryAfter: Number(retryAfter) }),
      })
    } catch (error) {
      done({ status: 0, message: error instanceof Error ? error.message : String(error) })
    }
  }
  const loops = Array.from({ length: writers }, async () => {
    while (!stopped) {
      await write(choice[Math.floor(random() * choice.length)]!)
      await pause(betweenMs)
    }
  })
  return {
    writes,
    acknowledged(number) {
      let left = number
      return new Promise((resolve) => {
        const listener = () => {
          if (--left > 0) return
          listeners = listeners.filter((one) => one !== listener)
          resolve()
        }
        listeners.push(listener)
      })
    },
    async stop() {
      stopped = true
      await Promise.all(loops)
      return writes
    },
  }
}

/**
 * Compares the answers to writes with what the database has of them.
 * @returns what was lost, is there twice or was answered wrongly, and how many are there without a
 * certain answer
 */
export async function compare(writes: readonly Write[], ask: Ask) {
  const wrong: string[] = []
  let unknown = 0
  for (const kind of kindsOfWrites) {
    const rows = await ask(
      `select resource.name, count(distinct resource.id)::int as resources,
         count(entry.id) filter (where entry.status = 201)::int as entries
       from ${kind} as resource
       left join audit_log as entry on entry.target_name = resource.name
         and entry.operation_id like '%_create'
       where resource.name like 'w-%' group by resource.name`,
    )
    const found = new Map(rows.map((row) => [row.name as string, row]))
    for (const { name, status, message } of writes.filter((write) => write.kind === kind)) {
      const { resources = 0, entries = 0 } = (found.get(name) ?? {}) as Record<string, number>
      const isOnce = resources === 1 && entries === 1
      const isThere = resources + entries > 0
      const isUnknown = status === 0 || message === outcomeUnknownMessage
      const mustBeThere = status === 201 || message === changeSavedMessage
      if (isUnknown ? isThere && !isOnce : mustBeThere ? !isOnce : isThere) {
        wrong.push(
          `${kind} ${name}, answered with ${status} ${message}: ${resources} with ${entries} entries`,
        )
      }
      if (isUnknown && isOnce) unknown++
    }
  }
  return { wrong, unknown }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const slowest = (writes: readonly Write[]): string =>
  seconds(Math.max(0, ...writes.map(({ began, ended }) => ended - began)))

/** How many calls had each answer, in words. */
function answersOf(writes: readonly Write[]): string {
  const counts = new Map<string, number>()
  for (const { status, message } of writes) {
    const answer = status === 0 ? `no answer (${message})` : `${status} ${message.slice(0, 40)}`
    counts.set(answer, (counts.get(answer) ?? 0) + 1)
  }
  return [...counts].map(([answer, count]) => `${count}x ${answer}`).join(', ') || 'none'
}

/**
 * A few lines for people: the longest time without an acknowledged write after the fault,
 * and the calls that began after its end.
 */
export function figuresOf(writes: readonly Write[], faultAt: number, repairedAt: number): string[] {
  const isAcknowledged = ({ status }: Write) => status === 201
  const ends = writes
    .filter(isAcknowledged)
    .map(({ ended }) => ended)
    .toSorted((a, b) => a - b)
  /** The longest gap that ends in a time. */
  const gapBetween = (from: number, to: number) => {
    let longest = { ms: 0, end: from }
    for (const [index, end] of ends.entries()) {
      const ms = end - (ends[index - 1] ?? end)
      if (end > from && end <= to && ms > longest.ms) longest = { ms, end }
    }
    return longest
  }
  const gap = gapBetween(faultAt, repairedAt)
  const after = writes.filter(({ began }) => began > gap.end)
  const others = writes.filter((write) => !isAcknowledged(write))
  const refusedAfter = after.filter((write) => !isAcknowledged(write))
  const lastRefusal = Math.max(gap.end, ...refusedAfter.map(({ ended }) => ended)) - gap.end
  return [
    `without an acknowledged write: ${seconds(gap.ms)}, until ${seconds(gap.end - faultAt)} after the fault; after its repair: ${seconds(gapBetween(repairedAt, Infinity).ms)}`,
    `acknowledged: ${ends.length}; others: ${answersOf(others)}`,
    `slowest answer: ${slowest(writes)}, to a write: ${slowest(writes.filter(isAcknowledged))}`,
    `calls from then on: ${after.length}, slowest answer ${slowest(after)}; refused ${refusedAfter.length}, the last ${seconds(lastRefusal)} later`,
  ]
}
