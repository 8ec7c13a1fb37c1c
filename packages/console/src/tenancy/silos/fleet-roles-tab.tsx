import type { FleetRole } from '@steading/api/client'
import { type SiloRole, siloRoles } from '@steading/api/rules'
import { ArrowRight } from 'lucide-react'
import { usePrefetchedQuery } from '../../data/api.ts'
import { Card, CardBody, CardEmpty } from '../../ui/card.tsx'
import { strengths } from '../../identity/access/columns.tsx'
import { Tag } from '../../ui/tag.tsx'
import { siloQuery, useSiloParam, siloTabs } from './queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'

const spoken = (role: string) => role.replace('_', ' ')

/** The client converts all keys to camel case, including roles. */
const keyOf = (role: SiloRole) => (role === 'limited_collaborator' ? 'limitedCollaborator' : role)

export function FleetRolesTab() {
  const { data: silo } = usePrefetchedQuery(siloQuery(useSiloParam()))
  const mapped = siloRoles.flatMap((role) =>
    (silo.mappedFleetRoles[keyOf(role)] ?? []).map((fleetRole: FleetRole) => ({ role, fleetRole })),
  )
  return (
    <TabPanel of={siloTabs} tab="Fleet roles">
      <Card title="Mapped fleet roles">
        {mapped.length === 0 ? (
          <CardEmpty
            title="No mapped fleet roles"
            body="Roles of a silo can give fleet roles to those who have them. This silo has no role mappings configured."
          />
        ) : (
          <CardBody>
            <p className="text-secondary">
              Users with one of these roles on the silo, or a stronger one, also have the fleet
              role.
            </p>
            <ul className="flex flex-col gap-2">
              {mapped.map(({ role, fleetRole }) => (
                <li key={`${role} ${fleetRole}`} className="flex items-center gap-2">
                  <Tag strength={strengths[role]}>Silo {spoken(role)}</Tag>
                  <ArrowRight size={14} strokeWidth={1.5} role="img" aria-label="maps to" />
                  <Tag strength={strengths[fleetRole]}>Fleet {spoken(fleetRole)}</Tag>
                </li>
              ))}
            </ul>
          </CardBody>
        )}
      </Card>
    </TabPanel>
  )
}
