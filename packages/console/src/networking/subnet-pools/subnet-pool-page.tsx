import { SUBNET_POOL_HAS_MEMBERS } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { subnetPoolKind, usePoolParam, membersQuery } from '../pools/pool-kind.ts'
import { PoolPage } from '../pools/pool-page.tsx'
import { Members } from './members.tsx'

export function SubnetPoolPage() {
  const pool = usePoolParam()
  const members = useQuery(membersQuery(pool)).data?.items
  return (
    <PoolPage
      kind={subnetPoolKind}
      contents={{ id: 'members', label: 'Members', content: <Members pool={pool} /> }}
      reads={['systemSubnetPoolMemberList']}
      cannotDelete={members?.length ? SUBNET_POOL_HAS_MEMBERS : undefined}
    />
  )
}
