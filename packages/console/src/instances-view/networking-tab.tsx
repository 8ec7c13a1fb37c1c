import { EffectiveRulesCard } from './effective-rules-card.tsx'
import { ExternalIpsCard } from './external-ips-card.tsx'
import { ExternalSubnetsCard } from './external-subnets-card.tsx'
import { InstanceTab } from './instance-tab.tsx'
import { NicsCard } from './nics-card.tsx'

export function NetworkingTab() {
  return (
    <InstanceTab tab="Networking">
      <ExternalIpsCard />
      <NicsCard />
      <ExternalSubnetsCard />
      <EffectiveRulesCard />
    </InstanceTab>
  )
}
