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
let listener = () => {}

/** Keeps an answer, in case that a page cannot be made of it. */
export function noteAnswer(answer: Answer): void {
  newest.unshift(answer)
  newest.length = Math.min(newest.length, KEPT)
  listener()
}

/** The newest answers, the last one first. */
export const newestAnswers = (): readonly Answer[] => newest

/** Calls a function after every answer. */
export const onAnswer = (noted: () => void): void => {
  listener = noted
}
