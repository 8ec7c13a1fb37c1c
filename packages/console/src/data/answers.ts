import type { MethodName } from '@steading/api/client'

/** An answer to a successful call. */
export interface Answer {
  operation: MethodName
  requestId: string | undefined
  data: unknown
}

/** Enough for all reads of a page and some of the previous one. */
const KEPT = 40

const newest: Answer[] = []
let listener = () => {}

/** Keeps an answer to explain a page that fails because of it. */
export function noteAnswer(answer: Answer): void {
  newest.unshift(answer)
  newest.length = Math.min(newest.length, KEPT)
  listener()
}

/** The newest answers, latest first. */
export const newestAnswers = (): readonly Answer[] => newest

/** Calls back after every answer. */
export const onAnswer = (noted: () => void): void => {
  listener = noted
}
