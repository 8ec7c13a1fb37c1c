import type { Silo } from '@steading/api/client'
import { Outlet } from '@tanstack/react-router'
import { Building2, Plus } from 'lucide-react'
import { ALL_ITEMS, apiQuery, invalidate } from '../data/api.ts'
import { BottomBar } from '../page/bottom-bar.tsx'
import { type Create, CreateButton, useCreate } from '../page/create-action.tsx'
import { LoadedTable } from '../page/loaded-table.tsx'
import { usePages } from '../page/use-pages.ts'
import { type ListQuickActions, useListQuickActions } from '../shell/list-quick-actions.ts'
import { pathTo } from '../shell/path-to.ts'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { siloColumns } from './columns.tsx'
import { silosQuery } from './queries.ts'
import { useSiloActions } from './silo-actions.tsx'
import { siloHome } from './silo-tabs.tsx'
import { siloSummary } from './summary.ts'

const quickActions: ListQuickActions = {
  all: apiQuery('siloList', { query: { limit: ALL_ITEMS } }),
  group: 'Go to silo',
  pathOf: (silo: string) => pathTo(siloHome, { silo }),
}
const create: Create = {
  label: 'New silo',
  icon: Plus,
  calls: 'siloCreate',
  path: pathTo('/system/silos-new'),
}

export function SilosPage() {
  const { pagination, ...read } = usePages<Silo>(silosQuery)
  const actions = useSiloActions()
  useCreate(create)
  useListQuickActions(quickActions)
  return (
    <>
      <PageHeader title="Silos" icon={<Building2 strokeWidth={1.5} aria-hidden />}>
        <DocsPopover topic="silos" summary={siloSummary} />
        <RefreshButton onRefresh={() => invalidate('siloList')} />
        <CreateButton {...create} />
      </PageHeader>
      <LoadedTable
        what="The silos"
        label="Silos"
        columns={siloColumns}
        read={read}
        actions={actions}
        empty={{
          icon: Building2,
          title: 'No silos',
          body: 'Create a silo to see it here',
          action: <CreateButton {...create} icon={undefined} variant="secondary" />,
        }}
      />
      <BottomBar>{read.rows?.length ? <Pagination {...pagination} /> : null}</BottomBar>
      <Outlet />
    </>
  )
}
