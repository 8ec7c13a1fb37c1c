import { Cable } from 'lucide-react'
import { refetchShown } from '../../data/api.ts'
import { PageTabs, type TabsDefinition } from '../../page/page-tabs.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'

export const connectivityTabs = {
  id: 'connectivity',
  label: 'External connectivity',
  contents: 'list',
  tabs: [
    { label: 'Overview', to: '/system/networking/connectivity' },
    { label: 'Switch Ports', to: '/system/networking/switch-ports' },
    { label: 'Port Settings', to: '/system/networking/port-settings' },
    { label: 'Address Lots', to: '/system/networking/address-lots' },
    { label: 'Loopback Addresses', to: '/system/networking/loopback-addresses' },
    { label: 'BGP', to: '/system/networking/bgp' },
    { label: 'Announce Sets', to: '/system/networking/announce-sets' },
    { label: 'BGP Peers', to: '/system/networking/bgp-peers' },
    { label: 'BFD', to: '/system/networking/bfd' },
    { label: 'Settings', to: '/system/networking/settings' },
  ],
} as const satisfies TabsDefinition

/** The page for the connections of the rack to outside networks. */
export function ConnectivityPage() {
  return (
    <>
      <PageHeader title="External Connectivity" icon={<Cable strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="external connectivity"
          summary="The switches of the rack reach outside networks through their uplinks. They use addresses from lots, and announce networks to outside routers by BGP."
        />
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      <PageTabs of={connectivityTabs} group="External connectivity" />
    </>
  )
}
