import type { ConsolePath } from '@steading/api/rules'
import type { ReactNode } from 'react'
import type { Needing } from '../../data/capabilities.ts'

/** Tabs of a silo's page. A new tab needs a line here, and a child route of `siloTabsRoute`. */
export const siloTabs = [
  { label: 'Identity providers', to: '/system/silos/$silo/idps' },
  { label: 'IP pools', to: '/system/silos/$silo/ip-pools' },
  { label: 'Subnet pools', to: '/system/silos/$silo/subnet-pools' },
  { label: 'Quotas', to: '/system/silos/$silo/quotas' },
  { label: 'Users', to: '/system/silos/$silo/users', needs: 'users' },
  { label: 'Access', to: '/system/silos/$silo/access' },
  { label: 'Fleet roles', to: '/system/silos/$silo/fleet-roles' },
  { label: 'SCIM', to: '/system/silos/$silo/scim' },
] as const satisfies ({ label: string; to: ConsolePath } & Needing)[]

/** Target of links to a silo. */
export const siloHome = siloTabs[0].to

type TabLabel = (typeof siloTabs)[number]['label']
export const siloTabId = (label: TabLabel) => `silo-tab-${label.toLowerCase().replace(' ', '-')}`

/** The panel of a tab. */
export const SiloTab = ({ tab, children }: { tab: TabLabel; children: ReactNode }) => (
  <div role="tabpanel" aria-labelledby={siloTabId(tab)} className="flex flex-col gap-6 py-6">
    {children}
  </div>
)
