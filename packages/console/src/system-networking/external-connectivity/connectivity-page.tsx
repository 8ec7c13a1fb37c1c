import { Outlet } from '@tanstack/react-router'
import { Cable } from 'lucide-react'
import { useMemo } from 'react'
import { invalidate } from '../../data/api.ts'
import { useAvailable } from '../../data/capabilities.ts'
import { pathTo } from '../../page/path-to.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { useQuickActions } from '../../ui/quick-actions.ts'
import { RouteTab, RouteTabs } from '../../ui/tabs.tsx'
import { connectivityTabId, connectivityTabs } from './tabs.tsx'

const refresh = () =>
  invalidate(
    'networkingSwitchPortList',
    'networkingSwitchPortSettingsList',
    'networkingAllowListView',
    'networkingAddressLotList',
    'networkingLoopbackAddressList',
    'networkingLoopbackAddressDetailList',
    'networkingBgpConfigList',
    'networkingBgpAnnounceSetList',
    'networkingBgpStatus',
    'networkingBgpExported',
    'networkingBgpImported',
    'networkingBgpMessageHistory',
    'networkingBfdStatus',
    'networkingInboundIcmpView',
    'systemNetworkingSettingsView',
  )

/** The page for the connections of the rack to outside networks. */
export function ConnectivityPage() {
  const tabs = useAvailable(connectivityTabs)
  useQuickActions(
    useMemo(
      () =>
        tabs.map(({ label, to }) => ({ label, path: pathTo(to), group: 'External connectivity' })),
      [tabs],
    ),
  )
  return (
    <>
      <PageHeader title="External Connectivity" icon={<Cable strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="external connectivity"
          summary="The switches of the rack reach outside networks through their uplinks. They use addresses from lots, and announce networks to outside routers by BGP."
        />
        <RefreshButton onRefresh={refresh} />
      </PageHeader>
      <RouteTabs label="External connectivity">
        {tabs.map(({ to, label }) => (
          <RouteTab key={to} id={connectivityTabId(label)} to={to}>
            {label}
          </RouteTab>
        ))}
      </RouteTabs>
      <Outlet />
    </>
  )
}
