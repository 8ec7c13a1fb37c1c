/** The last answer of a host, which is asked only while somebody wants to know. */

/** Milliseconds for which an answer counts as the present one. */
const FRESH_MS = 1_000
/** Milliseconds to wait for a host that takes longer than usual. */
const WAIT_MS = 3_000
/** Milliseconds for which the answer before is better than none. */
const STALE_MS = 15_000
/** Milliseconds for which a host that has failed is not asked again. */
const REST_MS = 2_000

export interface Recent<T> {
  /** The present answer; undefined if the host gives none in time. Never asks twice at a time. */
  read: () => Promise<T | undefined>
  /** Since when the host has not answered. */
  silentSince: () => Date | undefined
}

/** @param ask fails, or ends by itself */
export function recent<T>(ask: () => Promise<T>): Recent<T> {
  let last: { answer: T; at: number } | undefined
  let failedAt: number | undefined
  let silent: Date | undefined
  let asking: Promise<void> | undefined
  const isWithin = (at: number | undefined, ms: number): boolean =>
    at !== undefined && performance.now() - at < ms

  function begin(): Promise<void> {
    asking ??= ask()
      .then(
        (answer) => {
          last = { answer, at: performance.now() }
          failedAt = undefined
          silent = undefined
        },
        () => {
          last = undefined
          failedAt = performance.now()
          silent ??= new Date()
        },
      )
      .finally(() => (asking = undefined))
    return asking
  }

  return {
    silentSince: () => silent,
    async read() {
      if (isWithin(last?.at, FRESH_MS)) return last!.answer
      if (isWithin(failedAt, REST_MS)) return undefined
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, WAIT_MS)
      })
      await Promise.race([begin(), patience])
      clearTimeout(timer)
      return isWithin(last?.at, STALE_MS) ? last!.answer : undefined
    },
  }
}
