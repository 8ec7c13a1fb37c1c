import type { MethodName } from '@steading/api/client'

/** An answer to a call that has succeeded. */
export interface Answer {
  operation: MethodName
  requestId: string | undefined
  data: unknown
}

/** As many as a page reads, and some of the one before it. */
const KEPT = 40

const newest: Answer[] = []

/** Keeps an answer, in case that a page cannot be made of it. */
export function noteAnswer(answer: Answer): void {
  newest.unshift(answer)
  newest.length = Math.min(newest.length, KEPT)
}

/** The newest answers, the last one first. */
export const newestAnswers = (): readonly Answer[] => newest
