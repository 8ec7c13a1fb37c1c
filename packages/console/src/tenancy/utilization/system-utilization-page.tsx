import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Gauge } from 'lucide-react'
import { ALL_ITEMS, apiQuery, refetchShown } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { FirstToRunOut } from '../../observability/forecasts/forecasts-part.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { GroupHeadings } from '../../ui/group-headings.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { QueryTabs } from '../../ui/tabs.tsx'
import { sumOf } from './amounts.ts'
import { CapacityBars } from './capacity-bars.tsx'
import { utilizationColumns } from './columns.tsx'
import { FleetProvisioned } from './provisioned-part.tsx'

/** Operators get no events from inside of silos, so this is polled. */
const POLL_MS = 10_000

export function SystemUtilizationPage() {
  const reports = useCapability('usage')
  const { tab } = useSearch({ from: '/shell/system/system/utilization' })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    ...apiQuery('siloUtilizationList', { query: { limit: ALL_ITEMS } }),
    refetchInterval: POLL_MS,
  })
  const rows = data?.items
  return (
    <>
      <PageHeader title="Utilization" icon={<Gauge strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="utilization"
          summary="Running instances use the CPU and memory of the quotas of their silo, disks and snapshots use its storage."
        />
        {reports && <LinkButton to="/system/usage">Usage report</LinkButton>}
        {tab !== 'metrics' && <RefreshButton onRefresh={refetchShown} />}
      </PageHeader>
      <div className="flex flex-col gap-6 pb-6">
        {(rows || !error) && (
          <CapacityBars
            provisioned={rows && sumOf(rows.map(({ provisioned }) => provisioned))}
            quota={rows && sumOf(rows.map(({ allocated }) => allocated))}
            quotaLabel="Quota (Total)"
          />
        )}
        <div>
          <QueryTabs
            label="Utilization"
            panelClass="pt-6"
            selected={tab ?? 'summary'}
            onSelect={(id) =>
              void navigate({
                to: '.',
                search: { tab: id === 'metrics' ? id : undefined },
                replace: true,
              })
            }
            tabs={[
              {
                id: 'summary',
                label: 'Summary',
                content: (
                  <div className="flex flex-col gap-6">
                    <LoadedTable
                      what="The utilization"
                      label="Utilization of silos"
                      columns={utilizationColumns}
                      headings={<GroupHeadings columns={utilizationColumns} after />}
                      read={{ rows, error, refetch }}
                      rowKey={({ siloId }) => siloId}
                      actions={({ siloId }) => [copyAction('Copy silo ID', siloId)]}
                      empty={{
                        icon: Gauge,
                        title: 'No silos',
                        body: 'Create a silo to see its use',
                      }}
                    />
                    <FirstToRunOut />
                  </div>
                ),
              },
              {
                id: 'metrics',
                label: 'Metrics',
                content: <FleetProvisioned silos={rows ?? []} />,
              },
            ]}
          />
        </div>
      </div>
    </>
  )
}
