import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { AccessPage } from './access-page.tsx'
import { accessColumns } from './columns.tsx'
import { policyQuery } from './policy-query.ts'
import { useAccessRows } from './rows.ts'

const place = { level: 'silo' } as const

export function SiloAccessPage() {
  const { data: policy, error, refetch } = useQuery(policyQuery(place))
  const rows = useAccessRows({ level: 'silo', policy })
  const canAsk = useCapability('access')
  const columns = useMemo(() => Object.values(accessColumns(canAsk)), [canAsk])
  return (
    <AccessPage
      title="Silo Access"
      place={place}
      docs={{
        summary:
          'Roles on the silo say what users and groups may do in the silo, and in all of its projects.',
      }}
      policy={policy}
      rows={rows}
      error={error}
      refetch={refetch}
      columns={columns}
      kind="silo"
      empty={{
        title: 'No authorized users',
        body: 'Give permission to view, edit, or administer this silo.',
        action: 'Add user or group',
      }}
    />
  )
}
