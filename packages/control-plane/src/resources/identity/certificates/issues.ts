import type { ReadWithin } from '@steading/api'
import { daysLeft } from '@steading/api/rules'
import type { Actor } from '../../../kernel/authz/actor.ts'
import { type Finder, type FoundIssue, issue, type IssueScan } from '../../../kernel/issues.ts'
import { type EndingCertificate, endingCertificates } from './ending.ts'

export function certificateIssue(
  { id, name, silo_id, silo_name: silo, time_ends }: EndingCertificate,
  { actor, now, within }: { actor: Actor; now: Date; within?: ReadWithin },
): FoundIssue {
  const days = daysLeft(new Date(time_ends), now)
  const facts = { name, silo, own: silo_id === actor.siloId, days, within }
  return days < 0
    ? issue('certificate_expired', id, time_ends, facts)
    : issue('certificate_expiring', id, null, facts)
}

export const certificateIssues: Finder = async ({ db, now, actor }) =>
  (await endingCertificates(db, now)).map((one) => certificateIssue(one, { actor, now }))

/** The issues of all certificates, which are few. */
export const certificateScan: IssueScan = async function* ({ db, now, actor }) {
  yield (await endingCertificates(db, now)).map((one) => ({
    issue: certificateIssue(one, { actor, now }),
    siloId: one.silo_id,
    projectId: null,
  }))
}
