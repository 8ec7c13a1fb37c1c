import { Boxes, Plus } from 'lucide-react'
import { ALL_ITEMS, apiQuery } from '../../../data/api.ts'
import { useBulk } from '../../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../../page/list-page.tsx'
import { useListPage } from '../../../page/use-list-page.ts'
import { type ListQuickActions, useListQuickActions } from '../../../page/list-quick-actions.ts'
import { pathTo } from '../../../page/path-to.ts'
import { poolColumns, type PoolRow } from './columns.tsx'
import { subnetPoolDocs } from './docs.ts'
import { systemSubnetPoolListDefinition } from './list.ts'
import { usePoolActions } from './pool-actions.tsx'
import { POLL_MS } from './queries.ts'

const noun = { one: 'subnet pool', many: 'subnet pools' }

const quickActions: ListQuickActions = {
  all: apiQuery('systemSubnetPoolList', { query: { limit: ALL_ITEMS } }),
  group: 'Go to subnet pool',
  pathOf: (pool: string) => pathTo('/system/networking/subnet-pools/$pool', { pool }),
}

export function SubnetPoolsPage() {
  const list = useListPage(systemSubnetPoolListDefinition, {}, poolColumns, {
    refetchInterval: POLL_MS,
  })
  const bulk = useBulk('system_subnet_pool', list)
  const actions = usePoolActions()
  useListQuickActions(quickActions)
  return (
    <ListPage<PoolRow>
      title="Subnet Pools"
      label="Subnet pools"
      icon={Boxes}
      noun={noun}
      docs={subnetPoolDocs}
      reads={['systemSubnetPoolList', 'systemSubnetPoolUtilizationView']}
      create={{
        label: 'New Subnet Pool',
        quickLabel: 'New subnet pool',
        icon: Plus,
        calls: 'systemSubnetPoolCreate',
        path: pathTo('/system/networking/subnet-pools-new'),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No subnet pools',
        body: 'Create a subnet pool to see it here',
        create: 'New subnet pool',
      }}
    />
  )
}
