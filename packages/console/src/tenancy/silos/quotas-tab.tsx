import { apiQuery } from '../../data/api.ts'
import type { SiloUtilization } from '@steading/api/client'
import { GiB } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Forecasts } from '../../observability/forecasts/forecasts-part.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { BigNumber } from '../../ui/big-number.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { siloQuery, siloUtilizationQuery, useSiloParam, siloTabs } from './queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'

const QuotasForm = lazyPart(() =>
  import('./quotas-form.tsx').then((m) => ({ default: m.QuotasForm })),
)

/** Operators get no events from inside of silos, so this is polled. */
const POLL_MS = 10_000

type Row = { id: string; label: string; unit?: string; provisioned: number; quota: number }

const rowsOf = ({ provisioned, allocated }: SiloUtilization): Row[] => [
  {
    id: 'cpus',
    label: 'CPU',
    unit: 'vCPUs',
    provisioned: provisioned.cpus,
    quota: allocated.cpus,
  },
  ...(['memory', 'storage'] as const).map((name) => ({
    id: name,
    label: name === 'memory' ? 'Memory' : 'Storage',
    unit: 'GiB',
    provisioned: Math.round((provisioned[name] / GiB) * 100) / 100,
    quota: Math.round((allocated[name] / GiB) * 100) / 100,
  })),
]

const amount = (id: 'provisioned' | 'quota', header: string): Column<Row> => ({
  id,
  header,
  phone: 'first',
  cell: (row) => (
    <>
      {id === 'quota' && <span className="sm:hidden">of </span>}
      <BigNumber value={row[id]} /> <span className="text-tertiary">{row.unit}</span>
    </>
  ),
})

const columns: Column<Row>[] = [
  { id: 'resource', header: 'Resource', cell: ({ label }) => label },
  amount('provisioned', 'Provisioned'),
  amount('quota', 'Quota'),
]

export function QuotasTab() {
  const silo = useSiloParam()
  const { data, error, refetch } = useQuery({
    ...siloUtilizationQuery(silo),
    refetchInterval: POLL_MS,
  })
  const [editing, setEditing] = useState(false)
  const { data: subject } = useQuery(siloQuery(silo))
  const versions = useVersions('silo_quotas', subject)
  return (
    <TabPanel of={siloTabs} tab="Quotas">
      <Card
        title="Quotas"
        description="What the silo uses, and its limits"
        actions={
          <>
            <ActionButtons actions={versions.actions} />
            <Button
              sends
              calls="siloQuotasUpdate"
              disabled={!data}
              onClick={() => setEditing(true)}
            >
              Edit quotas
            </Button>
          </>
        }
      >
        <LoadedTable
          what="The quotas"
          label="Quotas"
          columns={columns}
          read={{ rows: data && rowsOf(data), error, refetch }}
          skeletonRows={3}
        />
      </Card>
      <Forecasts query={apiQuery('siloForecast', { path: { silo } })} />
      {versions.panel}
      {editing && data && (
        <DialogPart onDismiss={() => setEditing(false)}>
          <QuotasForm silo={silo} present={data.allocated} onDismiss={() => setEditing(false)} />
        </DialogPart>
      )}
    </TabPanel>
  )
}
