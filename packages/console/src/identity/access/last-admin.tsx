import { noAdminLeft } from '@steading/api/rules'
import { useCurrentUser } from '../../data/session.ts'
import { type Change, losesLastAdmin, type Place } from './policies.ts'

/**
 * A warning by the policy alone, for control planes that do not tell who loses what. A project may
 * have admins by their roles on the silo.
 */
export function LastAdmin({ place, change }: { place: Place; change: Change }) {
  const { siloName } = useCurrentUser()
  const { level } = place
  if (level === 'project' || !losesLastAdmin(change.from, change.to)) return null
  return <p>{noAdminLeft({ level, name: (level === 'silo' && place.silo) || siloName })}</p>
}
