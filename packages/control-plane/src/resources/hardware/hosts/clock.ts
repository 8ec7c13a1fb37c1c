/** Clocks of hosts in service, which are looked at between the checks. */
import { clockFinding, HOST_CLOCK_LOOK_MS, isClockApart } from '@steading/api/rules'
import type { Updateable } from 'kysely'
import type { Row } from '../../../kernel/kinds.ts'
import { findingsColumn } from './findings.ts'
import type { HostTable } from './kind.ts'

/**
 * New values of a host after a look at its clock; undefined if they are the present ones.
 * @param seconds by which the clock is ahead
 */
export function clockValues(
  host: Row<'host'>,
  seconds: number,
  now: Date,
): Updateable<HostTable> | undefined {
  const finding = clockFinding(seconds)
  const before = findingsColumn.read(host.findings)
  const values = {
    clock_ahead: isClockApart(seconds) ? Math.round(seconds) : null,
    time_clock_apart: isClockApart(seconds) ? (host.time_clock_apart ?? now.toISOString()) : null,
  }
  // Findings about another address stay as they were there.
  const isMoving = host.next_address !== null
  const findings = findingsColumn.write(
    before.map((each) => (!isMoving && each.check === 'clock' ? finding : each)),
  )
  // A wrong clock ended the last checks; the others are made now. Not again and again, should the
  // clock be right at one look and wrong at the next.
  const checkedAgo = now.getTime() - Date.parse(host.time_checked ?? '')
  const isDue =
    !isMoving &&
    finding.outcome === 'passed' &&
    before.at(-1)?.check === 'clock' &&
    checkedAgo >= HOST_CLOCK_LOOK_MS
  if (isDue) return { ...values, findings, check_due: 1 }
  const isSame = values.clock_ahead === host.clock_ahead && findings === host.findings
  return isSame ? undefined : { ...values, findings }
}
