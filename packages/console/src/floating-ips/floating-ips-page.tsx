import type { FloatingIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { EthernetPort, Plus } from 'lucide-react'
import { invalidate } from '../data/api.ts'
import { useLivePolling } from '../data/live.ts'
import { unicastPools } from '../ip-pools/pools.ts'
import { ipPoolsQuery } from '../ip-pools/queries.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { useListPage } from '../page/list-page.ts'
import { ListTable } from '../page/list-table.tsx'
import { pathTo } from '../shell/path-to.ts'
import { usePaletteOpen, useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { floatingIpColumns } from './columns.tsx'
import { useFloatingIpActions } from './floating-ip-actions.tsx'
import { floatingIpListDefinition } from './list.ts'
import { floatingIpsQuery } from './queries.ts'

const noun = { one: 'floating IP', many: 'floating IPs' }

const AttachToInstanceModal = lazy(() => import('./attach-to-instance.tsx'))

export function FloatingIpsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const columns = useMemo(() => floatingIpColumns(project), [project])
  const list = useListPage(floatingIpListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(10_000),
    names: { pool: usePoolNames() },
  })
  const bulk = useBulk('floating_ip', list, project)
  const [attaching, setAttaching] = useState<FloatingIp>()
  const actions = useFloatingIpActions(project, setAttaching)
  useFloatingIpQuickActions(project)
  return (
    <>
      <PageHeader title="Floating IPs" icon={<EthernetPort strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="floating IPs"
          summary="A floating IP is an address that belongs to the project. It can move from one instance to another, and stays when an instance is deleted."
        />
        <RefreshButton onRefresh={() => invalidate('floatingIpList', 'instanceList')} />
        <LinkButton
          to="/projects/$project/floating-ips-new"
          params={{ project }}
          variant="primary"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
        >
          New Floating IP
        </LinkButton>
      </PageHeader>
      <ListTable
        label="Floating IPs"
        noun={noun}
        list={list}
        bulk={bulk}
        actions={actions}

        empty={
          <EmptyState
            icon={<EthernetPort size={20} strokeWidth={1.5} aria-hidden />}
            title="No floating IPs"
            body="Create a floating IP to see it here"
            action={
              <LinkButton
                to="/projects/$project/floating-ips-new"
                params={{ project }}
                variant="primary"
              >
                New Floating IP
              </LinkButton>
            }
          />
        }
      />
      <Outlet />
      <Suspense>
        {attaching && (
          <AttachToInstanceModal
            project={project}
            floatingIp={attaching}
            onDismiss={() => setAttaching(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

function usePoolNames(): string[] {
  const pools = useQuery({ ...ipPoolsQuery, throwOnError: false }).data?.items ?? []
  return unicastPools(pools).map(({ name }) => name)
}

function useFloatingIpQuickActions(project: string) {
  const all = useQuery({ ...floatingIpsQuery(project), enabled: usePaletteOpen() }).data?.items
  useQuickActions(
    useMemo(
      () => [
        {
          label: 'New floating IP',
          path: pathTo('/projects/$project/floating-ips-new', { project }),
        },
        ...(all ?? []).map(({ name }) => ({
          label: name,
          group: 'Edit floating IP',
          path: pathTo('/projects/$project/floating-ips/$floatingIp/edit', {
            project,
            floatingIp: name,
          }),
        })),
      ],
      [all, project],
    ),
  )
}
