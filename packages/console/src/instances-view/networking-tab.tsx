import { ExternalIpsCard } from './external-ips-card.tsx'
import { InstanceTab } from './instance-tab.tsx'
import { NicsCard } from './nics-card.tsx'

export function NetworkingTab() {
  return (
    <InstanceTab tab="Networking">
      <ExternalIpsCard />
      <NicsCard />
    </InstanceTab>
  )
}
