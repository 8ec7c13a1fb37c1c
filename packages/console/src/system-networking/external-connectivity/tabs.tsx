import type { ConsolePath } from '@steading/api/rules'
import { type ReactNode } from 'react'
import type { Needing } from '../../data/capabilities.ts'

/**
 * The tabs of external connectivity. A new tab needs a line here and a route below
 * `connectivityRoute`.
 */
export const connectivityTabs = [
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
] as const satisfies ({ label: string; to: ConsolePath } & Needing)[]

type TabLabel = (typeof connectivityTabs)[number]['label']
export const connectivityTabId = (label: TabLabel) =>
  `connectivity-tab-${label.toLowerCase().replaceAll(' ', '-')}`

/** The panel of a tab. */
export const ConnectivityTab = ({ tab, children }: { tab: TabLabel; children: ReactNode }) => (
  <div role="tabpanel" aria-labelledby={connectivityTabId(tab)} className="flex grow flex-col pt-4">
    {children}
  </div>
)
