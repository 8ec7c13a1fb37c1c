import { Plus, Grid3x3 } from 'lucide-react'
import { ALL_ITEMS, apiQuery } from '../../../data/api.ts'
import { useBulk } from '../../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../../page/list-page.tsx'
import { useListPage } from '../../../page/use-list-page.ts'
import { type ListQuickActions, useListQuickActions } from '../../../page/list-quick-actions.ts'
import { pathTo } from '../../../page/path-to.ts'
import { poolColumns, type PoolRow } from './columns.tsx'
import { ipPoolDocs } from './docs.ts'
import { ofSilos, systemIpPoolListDefinition } from './list.ts'
import { usePoolActions } from './pool-actions.tsx'
import { POLL_MS } from './queries.ts'

const noun = { one: 'IP pool', many: 'IP pools' }

const quickActions: ListQuickActions = {
  all: apiQuery('systemIpPoolList', { query: { limit: ALL_ITEMS, ...ofSilos } }),
  group: 'Go to IP pool',
  pathOf: (pool: string) => pathTo('/system/networking/ip-pools/$pool', { pool }),
}

export function IpPoolsPage() {
  const list = useListPage(systemIpPoolListDefinition, ofSilos, poolColumns, {
    refetchInterval: POLL_MS,
  })
  const bulk = useBulk('system_ip_pool', list, undefined, ofSilos)
  const actions = usePoolActions()
  useListQuickActions(quickActions)
  return (
    <ListPage<PoolRow>
      title="IP Pools"
      label="IP pools"
      icon={Grid3x3}
      noun={noun}
      docs={ipPoolDocs}
      reads={['systemIpPoolList', 'systemIpPoolUtilizationView']}
      create={{
        label: 'New IP Pool',
        quickLabel: 'New IP pool',
        icon: Plus,
        calls: 'systemIpPoolCreate',
        path: pathTo('/system/networking/ip-pools-new'),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No IP pools',
        body: 'Create an IP pool to see it here',
        create: 'New IP pool',
      }}
    />
  )
}
