import { ALERTS_KEPT_DAYS } from '@steading/api/rules'
import { BellRing } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { alertColumns, type AlertRow } from './columns.tsx'
import { alertListDefinition } from './queries.ts'

const noun = { one: 'alert', many: 'alerts' }
const noActions = (): MenuAction[] => []

/** Name of an alert for stars and histories. */
const withName = (alert: AlertRow) => ({ ...alert, name: alert.class })

export function AlertsTab() {
  const list = useListPage(alertListDefinition, {}, alertColumns, {
    refetchInterval: useLivePolling(10_000),
  })
  return (
    <div role="tabpanel" aria-labelledby="alerts-tab-alerts" className="flex grow flex-col pt-4">
      <ListTab
        label="Alerts"
        icon={BellRing}
        noun={noun}
        list={{ ...list, rows: list.rows?.map(withName) }}
        actions={noActions}
        empty={{
          title: 'No alerts',
          body: `Events in the rack are listed here for ${ALERTS_KEPT_DAYS} days`,
        }}
      />
    </div>
  )
}
