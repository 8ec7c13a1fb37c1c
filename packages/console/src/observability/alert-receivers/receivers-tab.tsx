import { Outlet } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { allReceiversQuery } from '../alerts/queries.ts'
import { useLivePolling } from '../../data/live.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { type ListQuickActions, useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { receiverColumns } from './columns.tsx'
import { receiverListDefinition } from './queries.ts'
import { useReceiverActions } from './receiver-actions.tsx'

const quickActions: ListQuickActions = {
  all: allReceiversQuery,
  group: 'Go to receiver',
  pathOf: (receiver: string) => pathTo('/system/alert-receivers/$receiver', { receiver }),
}

const noun = { one: 'receiver', many: 'receivers' }

export function ReceiversTab() {
  const list = useListPage(receiverListDefinition, {}, receiverColumns, {
    refetchInterval: useLivePolling(10_000),
  })
  const bulk = useBulk('alert_receiver', list)
  const actions = useReceiverActions()
  useListQuickActions(quickActions)
  return (
    <div role="tabpanel" aria-labelledby="alerts-tab-receivers" className="flex grow flex-col pt-4">
      <ListTab
        label="Receivers"
        icon={Webhook}
        noun={noun}
        create={{
          label: 'New receiver',
          icon: Plus,
          calls: 'webhookReceiverCreate',
          path: pathTo('/system/alert-receivers-new'),
        }}
        list={list}
        bulk={bulk}
        actions={actions}
        empty={{
          title: 'No receivers',
          body: 'Create a receiver to have alerts delivered to your systems',
          create: 'New receiver',
        }}
      />
      <Outlet />
    </div>
  )
}
