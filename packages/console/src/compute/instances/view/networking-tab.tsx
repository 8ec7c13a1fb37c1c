import { Suspense } from 'react'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { ExternalIpsCard } from './external-ips-card.tsx'
import { ExternalSubnetsCard } from './external-subnets-card.tsx'
import { InstanceTab } from './instance-tab.tsx'
import { NicsCard } from './nics-card.tsx'

/** Their code comes after what is changed more often. */
const MulticastCard = lazyPart(() => import('./multicast-card.tsx'))
const EffectiveRulesCard = lazyPart(() => import('./effective-rules-card.tsx'))

export function NetworkingTab() {
  return (
    <InstanceTab tab="Networking">
      <ExternalIpsCard />
      <NicsCard />
      <ExternalSubnetsCard />
      <Suspense>
        <MulticastCard />
        <EffectiveRulesCard />
      </Suspense>
    </InstanceTab>
  )
}
