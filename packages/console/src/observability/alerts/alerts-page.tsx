import { Outlet } from '@tanstack/react-router'
import { BellRing } from 'lucide-react'
import { refetchShown } from '../../data/api.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { RouteTab, RouteTabs } from '../../ui/tabs.tsx'

export function AlertsPage() {
  return (
    <>
      <PageHeader title="Alerts" icon={<BellRing strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="alerts"
          summary="An alert reports an event in the rack. It is delivered to all receivers that subscribe to its class, as a signed request to their URL."
        />
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      <RouteTabs label="Alerts">
        <RouteTab id="alerts-tab-alerts" to="/system/alerts">
          Alerts
        </RouteTab>
        <RouteTab id="alerts-tab-receivers" to="/system/alert-receivers">
          Receivers
        </RouteTab>
      </RouteTabs>
      <Outlet />
    </>
  )
}
