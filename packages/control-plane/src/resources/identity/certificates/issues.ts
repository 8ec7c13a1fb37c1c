import { daysLeft } from '@steading/api/rules'
import { type Finder, issue } from '../../../kernel/issues.ts'
import { endingCertificates } from './ending.ts'

export const certificateIssues: Finder = async ({ db, now, actor }) => {
  const ending = await endingCertificates(db, now)
  return ending.map(({ id, name, silo_id, silo_name: silo, time_ends }) => {
    const facts = {
      name,
      silo,
      own: silo_id === actor.siloId,
      days: daysLeft(new Date(time_ends), now),
    }
    return facts.days < 0
      ? issue('certificate_expired', id, time_ends, facts)
      : issue('certificate_expiring', id, null, facts)
  })
}
