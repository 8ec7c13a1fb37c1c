import type { Silo } from '@steading/api/client'
import { type FleetRole, projectRoles, type SiloRole } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { pathTo } from '../../data/addresses.ts'
import type { Column } from '../../ui/column.ts'
import { TextLink } from '../../ui/link.tsx'
import { HelpTip } from '../../ui/tooltip.tsx'
import { BuiltinUsers } from './builtin-users.tsx'
import { AccessPage } from './access-page.tsx'
import { accessColumns, RoleTag } from './columns.tsx'
import { policyQuery } from './policy-query.ts'
import { type AccessRow, useAccessRows } from './rows.ts'

const place = { level: 'fleet' } as const

/** A fleet role granted to all users with a role on a silo. */
type Mapping = { silo: string; from: SiloRole; to: FleetRole }
type FleetRow = AccessRow & { mapping?: Mapping }

/** From the strongest silo role to the weakest. The client spells keys in camel case. */
const mappingsOf = ({ name: silo, mappedFleetRoles }: Silo): Mapping[] =>
  projectRoles.flatMap((from) => {
    const key = from.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const roles = (mappedFleetRoles as Record<string, FleetRole[]>)[key] ?? []
    return roles.map((to) => ({ silo, from, to }))
  })

const rowOf = (mapping: Mapping): FleetRow => ({
  // No id to copy.
  id: '',
  name: `${mapping.silo} ${mapping.from} ${mapping.to}`,
  type: 'silo_user',
  resolved: true,
  roles: [],
  mapping,
})

function fleetColumns(canAsk: boolean): Column<FleetRow>[] {
  const { name, type, role } = accessColumns(canAsk)
  return [
    {
      ...name,
      cell(row) {
        if (!row.mapping) return name.cell(row)
        const { from, silo } = row.mapping
        return (
          <span className="flex min-w-0 items-center gap-1.5">
            Any <RoleTag level="silo" role={from} /> in{' '}
            <TextLink to="/system/silos/$silo/fleet-roles" params={{ silo }} className="truncate">
              {silo}
            </TextLink>
          </span>
        )
      },
    },
    {
      ...type,
      cell: (row) =>
        row.mapping ? (
          <span className="inline-flex items-center gap-1">
            Role mapping
            <HelpTip>Roles on this silo also give roles on the fleet (mapped_fleet_roles)</HelpTip>
          </span>
        ) : (
          type.cell(row)
        ),
    },
    {
      ...role,
      header: 'Fleet role',
      cell: ({ mapping, roles }) => (
        <RoleTag level="fleet" role={mapping ? mapping.to : roles[0]!.role} />
      ),
    },
  ]
}

export function FleetAccessPage() {
  const { data: policy, ...own } = useQuery(policyQuery(place))
  const silos = useQuery(apiQuery('siloList', { query: { limit: ALL_ITEMS } }))
  const assigned = useAccessRows({ level: 'fleet', policy })
  const mapped = silos.data?.items
  const rows = useMemo(
    (): FleetRow[] | undefined =>
      assigned && mapped && [...assigned, ...mapped.flatMap(mappingsOf).map(rowOf)],
    [assigned, mapped],
  )
  const canAsk = useCapability('access')
  const columns = useMemo(() => fleetColumns(canAsk), [canAsk])
  return (
    <>
      <AccessPage
        title="Fleet Access"
        place={place}
        docs={{
          summary:
            'Roles on the fleet say who operates the system. A silo can map its own roles to roles on the fleet.',
        }}
        policy={policy}
        rows={rows}
        error={own.error ?? silos.error}
        refetch={() => Promise.all([own.refetch(), silos.refetch()])}
        columns={columns}
        kind="fleet"
        otherActions={({ mapping }) =>
          mapping && [
            {
              label: 'View silo',
              href: pathTo('/system/silos/$silo/fleet-roles', { silo: mapping.silo }),
            },
          ]
        }
        empty={{
          title: 'No fleet roles assigned',
          body: 'Give permission to view or administer the system.',
          action: 'Add user or group',
        }}
      />
      {/* Below a table of unknown height, which would move it. */}
      {(rows ?? own.error ?? silos.error) && (
        <div className="py-6">
          <BuiltinUsers />
        </div>
      )}
    </>
  )
}
