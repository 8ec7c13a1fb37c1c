import { ALERTS_KEPT_DAYS } from '@steading/api/rules'
import { BellRing } from 'lucide-react'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { alertColumns } from './columns.tsx'
import { alertListDefinition } from './queries.ts'

const noActions = (): MenuAction[] => []

const alerts = resourceList({
  list: alertListDefinition,
  noun: 'alert',
  icon: BellRing,
  path: '/system/alerts',
  columns: alertColumns,
  nameOf: (alert) => alert.class,
  empty: { body: `Events in the rack are listed here for ${ALERTS_KEPT_DAYS} days` },
})

export const AlertsTab = () => (
  <div role="tabpanel" aria-labelledby="alerts-tab-alerts" className="flex grow flex-col pt-4">
    <ResourceTab of={alerts} actions={noActions} />
  </div>
)
