/**
 * Decides when a call may begin. Calls of many connections can arrive in one turn of the event
 * loop, and would all be answered in it. So calls wait for later turns once one has lasted long
 * enough, and users take turns, however many calls each of them has waiting.
 */
import { CALLS_AT_ONCE, CALLS_WAITING_MAX, callMessages } from '@steading/api/rules'
import { createTurnClock, onePerTurn } from '../kernel/event-loop.ts'
import { ApiError, fail } from '../kernel/errors.ts'

/** Milliseconds after which the remaining calls wait for the next turn. */
const TURN_MS = 10

/** A call that is to begin. */
export interface Arrival {
  /** The account for its use: a user, or the address of a client without credentials. */
  user: string
  /** The operation whose calls are limited; absent for a call without that limit. */
  operation?: string
}

export interface CallScheduler {
  /**
   * Waits until a call may begin.
   * @returns a function to call when the call has ended
   * @throws ApiError 429 if the user has too many calls waiting
   */
  enter: (arrival: Arrival) => Promise<() => void>
}

interface Waiting {
  operation: string | undefined
  begin: () => void
}

/** The calls of one user. */
interface Line {
  waiting: Waiting[]
  /** Operation → number of its running calls. */
  running: Map<string, number>
}

export function createCallScheduler(): CallScheduler {
  const passed = createTurnClock()
  /** In the order of their turns. */
  const lines = new Map<string, Line>()

  const mayBegin = ({ running }: Line, operation: string | undefined) =>
    operation === undefined || (running.get(operation) ?? 0) < CALLS_AT_ONCE

  const start = ({ running }: Line, operation: string | undefined) => {
    if (operation !== undefined) running.set(operation, (running.get(operation) ?? 0) + 1)
  }
  const end = (user: string, line: Line, operation: string | undefined) => {
    if (operation !== undefined) {
      const left = line.running.get(operation)! - 1
      if (left > 0) line.running.set(operation, left)
      else line.running.delete(operation)
    }
    if (line.waiting.length > 0) wake()
    else if (line.running.size === 0 && lines.get(user) === line) lines.delete(user)
  }

  const next = (): (() => void) | undefined => {
    for (const [user, line] of lines) {
      const index = line.waiting.findIndex(({ operation }) => mayBegin(line, operation))
      if (index < 0) continue
      const [{ operation, begin }] = line.waiting.splice(index, 1) as [Waiting]
      // The next turn belongs to another user.
      lines.delete(user)
      lines.set(user, line)
      start(line, operation)
      return begin
    }
    return undefined
  }
  const wake = onePerTurn(next)

  return {
    async enter({ user, operation }) {
      let line = lines.get(user)
      if (!line) lines.set(user, (line = { waiting: [], running: new Map() }))
      const { waiting } = line
      const its = line
      let ended = false
      const leave = () => {
        if (ended) return
        ended = true
        end(user, its, operation)
      }
      if (passed() < TURN_MS && waiting.length === 0 && mayBegin(line, operation)) {
        start(line, operation)
        return leave
      }
      if (waiting.length >= CALLS_WAITING_MAX) {
        const { template } = fail.tooManyRequests(callMessages.tooManyWaiting)
        throw new ApiError(template, { 'retry-after': '1' })
      }
      await new Promise<void>((begin) => {
        waiting.push({ operation, begin })
        wake()
      })
      return leave
    },
  }
}
