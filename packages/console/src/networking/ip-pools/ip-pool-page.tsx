import { IP_POOL_HAS_RANGES } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useCapability } from '../../data/capabilities.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { ipPoolKind, usePoolParam, rangesQuery } from '../pools/pool-kind.ts'
import { PoolPage } from '../pools/pool-page.tsx'
import { Ranges } from './ranges.tsx'

const Addresses = lazyPart(() => import('./addresses.tsx').then((m) => ({ default: m.Addresses })))

export function IpPoolPage() {
  const pool = usePoolParam()
  const ranges = useQuery(rangesQuery(pool)).data?.items
  const addresses = {
    id: 'addresses',
    label: 'Addresses',
    content: <Addresses pool={pool} />,
  }
  return (
    <PoolPage
      kind={ipPoolKind}
      contents={{ id: 'ranges', label: 'IP ranges', content: <Ranges pool={pool} /> }}
      others={useCapability('lists') ? [addresses] : []}
      reads={['systemIpPoolRangeList', 'systemIpPoolAddressList']}
      cannotDelete={ranges?.length ? IP_POOL_HAS_RANGES : undefined}
    />
  )
}
