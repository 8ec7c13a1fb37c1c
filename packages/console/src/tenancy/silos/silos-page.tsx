import type { Silo } from '@steading/api/client'
import { Building2, Plus } from 'lucide-react'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { type ListQuickActions, useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { siloColumns } from './columns.tsx'
import { siloListDefinition, siloHome } from './queries.ts'
import { useSiloActions, siloSummary } from './silo-actions.tsx'

const noun = { one: 'silo', many: 'silos' }

const quickActions: ListQuickActions = {
  all: apiQuery('siloList', { query: { limit: ALL_ITEMS } }),
  group: 'Go to silo',
  pathOf: (silo: string) => pathTo(siloHome, { silo }),
}

export function SilosPage() {
  const list = useListPage(siloListDefinition, {}, siloColumns, {
    refetchInterval: useLivePolling(10_000),
  })
  const actions = useSiloActions()
  useListQuickActions(quickActions)
  return (
    <ListPage<Silo>
      title="Silos"
      label="Silos"
      icon={Building2}
      noun={noun}
      docs={{ topic: 'silos', summary: siloSummary }}
      reads={['siloList']}
      create={{
        label: 'New silo',
        icon: Plus,
        calls: 'siloCreate',
        path: pathTo('/system/silos-new'),
      }}
      list={list}
      actions={actions}
      empty={{ title: 'No silos', body: 'Create a silo to see it here', create: 'New silo' }}
    />
  )
}
