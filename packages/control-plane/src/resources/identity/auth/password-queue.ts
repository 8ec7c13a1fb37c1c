/**
 * The queue for hashing passwords. A hash takes a core and much memory for a fifth of a second, so
 * few run at a time and the others wait: known devices before all others, new passwords one at a
 * time, and strangers behind them, in a bounded queue that is shared fairly between networks. So a
 * flood of wrong sign-ins delays a known device by one hash at most.
 */
import {
  PASSWORDS_AT_ONCE,
  PASSWORDS_BUSY_WAIT_MS,
  PASSWORDS_OF_NETWORK_MAX,
  PASSWORDS_WAITING_MAX,
  signInBusyMessage,
} from '@steading/api/rules'
import type { PasswordHasher } from '../../../kernel/ports/passwords.ts'
import { networksOf } from './networks.ts'
import { waitRefusal } from './throttle.ts'

/** The client that gives a password: a known device of the user, or an address. */
export type PasswordSource = { known: true } | { known: false; clientAddress: string }

export interface PasswordQueue {
  /** Hashes a new password, for a caller who may set it. */
  hash: (password: string) => Promise<string>
  /**
   * Compares a password with a hash.
   * @throws ApiError 429 if too many wait already
   */
  verify: (password: string, phc: string, source: PasswordSource) => Promise<boolean>
  /** See the port. */
  isCommon: (password: string) => Promise<boolean>
}

type Lane = 'known' | 'new' | 'unknown'
/** In order of precedence. */
const lanes: readonly Lane[] = ['known', 'new', 'unknown']
/** Limit of concurrent hashes per lane. */
const atOnce: Record<Lane, number> = {
  known: PASSWORDS_AT_ONCE,
  new: 1,
  unknown: PASSWORDS_AT_ONCE,
}
/** Limit of concurrent hashes per network of strangers. */
const OF_NETWORK_AT_ONCE = 1

interface Turn {
  lane: Lane
  /** The narrowest network of a stranger. */
  network?: string
  run: () => void
}

/** Counts by key; keys with a count of zero are removed. */
class Counts {
  readonly #counts = new Map<string, number>()
  get = (key: string): number => this.#counts.get(key) ?? 0
  add(key: string, change: 1 | -1): void {
    const count = this.get(key) + change
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}

export function createPasswordQueue(hasher: PasswordHasher): PasswordQueue {
  const waiting: Turn[] = []
  /** Running hashes by lane and network. */
  const running = new Counts()
  /** Waiting and running hashes by network. */
  const pending = new Counts()
  let total = 0

  const mayRun = ({ lane, network }: Turn): boolean =>
    running.get(lane) < atOnce[lane] &&
    (network === undefined || running.get(`from ${network}`) < OF_NETWORK_AT_ONCE)
  const count = ({ lane, network }: Turn, change: 1 | -1) => {
    total += change
    running.add(lane, change)
    if (network !== undefined) running.add(`from ${network}`, change)
  }
  const fill = () => {
    while (total < PASSWORDS_AT_ONCE) {
      const next = lanes
        .map((lane) => waiting.find((turn) => turn.lane === lane && mayRun(turn)))
        .find((turn) => turn !== undefined)
      if (!next) return
      waiting.splice(waiting.indexOf(next), 1)
      count(next, 1)
      next.run()
    }
  }
  const enqueue = async <T>(lane: Lane, network: string | undefined, work: () => Promise<T>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const turn: Turn = { lane, network, run: resolve }
    waiting.push(turn)
    fill()
    await promise
    try {
      return await work()
    } finally {
      count(turn, -1)
      fill()
    }
  }

  const requireRoom = (lane: 'known' | 'unknown') => {
    const before = waiting.filter((turn) => turn.lane === lane).length
    if (before >= PASSWORDS_WAITING_MAX[lane]) {
      throw waitRefusal(PASSWORDS_BUSY_WAIT_MS, signInBusyMessage)
    }
  }

  return {
    isCommon: async (password) => (await hasher.isCommon?.(password)) ?? false,

    hash: (password) => enqueue('new', undefined, () => hasher.hash(password)),

    async verify(password, phc, source) {
      const verify = () => hasher.verify(password, phc)
      if (source.known) {
        requireRoom('known')
        return enqueue('known', undefined, verify)
      }
      requireRoom('unknown')
      const networks = networksOf(source.clientAddress)
      for (const { name, share } of networks) {
        if (pending.get(name) >= PASSWORDS_OF_NETWORK_MAX * share) {
          throw waitRefusal(PASSWORDS_BUSY_WAIT_MS, signInBusyMessage)
        }
      }
      for (const { name } of networks) pending.add(name, 1)
      try {
        return await enqueue('unknown', networks[0]!.name, verify)
      } finally {
        for (const { name } of networks) pending.add(name, -1)
      }
    },
  }
}
