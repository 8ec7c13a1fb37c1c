import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { AccessPage } from '../access-page.tsx'
import { accessColumns } from '../columns.tsx'
import { policyQuery } from '../policy-query.ts'
import { useAccessRows } from '../rows.ts'
import { useSiloParam, siloTabs } from '../../../tenancy/silos/queries.ts'
import { TabPanel } from '../../../page/page-tabs.tsx'

const columns = Object.values(accessColumns(false))

/** Role assignments of a silo, for operators who appoint its first admin, or another one. */
export function SiloAccessTab() {
  const silo = useSiloParam()
  const place = useMemo(() => ({ level: 'silo', silo }) as const, [silo])
  const { data: policy, error, refetch } = useQuery(policyQuery(place))
  const rows = useAccessRows({ level: 'silo', silo, policy })
  return (
    <TabPanel of={siloTabs} tab="Access">
      <div>
        <AccessPage
          title="Silo access"
          isTab
          place={place}
          policy={policy}
          rows={rows}
          error={error}
          refetch={refetch}
          columns={columns}
          kind="silo"
          empty={{
            title: 'No roles assigned',
            body: 'Give a user or group of the silo a role on it.',
            action: 'Add user or group',
          }}
        />
      </div>
    </TabPanel>
  )
}
