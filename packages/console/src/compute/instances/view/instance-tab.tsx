import type { ConsolePath } from '@steading/api/rules'
import type { ReactNode } from 'react'
import type { Needing } from '../../../data/capabilities.ts'

export const instanceTabs = [
  { label: 'Storage', to: '/projects/$project/instances/$instance/storage' },
  { label: 'Networking', to: '/projects/$project/instances/$instance/networking' },
  { label: 'Metrics', to: '/projects/$project/instances/$instance/metrics' },
  { label: 'Connect', to: '/projects/$project/instances/$instance/connect' },
  { label: 'Settings', to: '/projects/$project/instances/$instance/settings' },
  {
    label: 'History',
    to: '/projects/$project/instances/$instance/history',
    needs: 'auditLog',
  },
] as const satisfies ({ label: string; to: ConsolePath } & Needing)[]

type TabLabel = (typeof instanceTabs)[number]['label']
export const tabId = (label: TabLabel) => `instance-tab-${label.toLowerCase()}`

/** The panel of a tab. */
export const InstanceTab = ({ tab, children }: { tab: TabLabel; children: ReactNode }) => (
  <div role="tabpanel" aria-labelledby={tabId(tab)} className="flex flex-col gap-6 py-6">
    {children}
  </div>
)
