/** Attempts to send a message, and the pauses between them. */
import { messageBackoffsMs } from '@steading/api/rules'
import type { MailSent } from '../../../kernel/ports/mail.ts'
import { MAIL_SERVER_FAILED } from './issues.ts'

interface Attempted {
  attempts: number
  time_failed: string | null
}

/** The values of a row after an attempt that has failed. */
export function afterFailure(
  { attempts: before, time_failed }: Attempted,
  { failed, problem }: Exclude<MailSent, 'sent' | 'cut_off'>,
  now: Date,
) {
  const attempts = Number(before) + 1
  const pause = messageBackoffsMs[Math.min(attempts, messageBackoffsMs.length) - 1]!
  return {
    attempts,
    problem: (failed === 'server' ? MAIL_SERVER_FAILED : '') + problem,
    time_failed: time_failed ?? now.toISOString(),
    time_next_attempt: new Date(now.getTime() + pause).toISOString(),
  }
}

/**
 * The time of the next attempt; undefined if that is over.
 * @param longestMs the longest pause; a later time was set before the clock of the server was set
 *   back
 */
export function nextAttempt(
  { time_next_attempt: next }: { time_next_attempt: string | null },
  now: Date,
  longestMs: number,
): Date | undefined {
  if (next === null || next <= now.toISOString()) return undefined
  const at = new Date(next)
  return at.getTime() > now.getTime() + longestMs ? undefined : at
}
