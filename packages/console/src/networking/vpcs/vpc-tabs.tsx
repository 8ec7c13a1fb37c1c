import type { ConsolePath } from '@steading/api/rules'
import type { ReactNode } from 'react'
import type { Needing } from '../../data/capabilities.ts'

/** The tabs of a VPC's page. A new tab needs a line here and a route below `vpcTabsRoute`. */
export const vpcTabs = [
  { label: 'Firewall Rules', to: '/projects/$project/vpcs/$vpc/firewall-rules' },
  { label: 'VPC Subnets', to: '/projects/$project/vpcs/$vpc/subnets' },
  { label: 'Routers', to: '/projects/$project/vpcs/$vpc/routers' },
  { label: 'Internet Gateways', to: '/projects/$project/vpcs/$vpc/internet-gateways' },
  {
    label: 'Topology',
    to: '/projects/$project/vpcs/$vpc/topology',
    needs: 'reachability',
  },
] as const satisfies ({ label: string; to: ConsolePath } & Needing)[]

/** The target of links to a VPC. */
export const vpcHome = vpcTabs[0].to

type TabLabel = (typeof vpcTabs)[number]['label']
export const vpcTabId = (label: TabLabel) => `vpc-tab-${label.toLowerCase().replaceAll(' ', '-')}`

/** The panel of a tab. */
export const VpcTab = ({ tab, children }: { tab: TabLabel; children: ReactNode }) => (
  <div role="tabpanel" aria-labelledby={vpcTabId(tab)} className="flex grow flex-col pt-4">
    {children}
  </div>
)
