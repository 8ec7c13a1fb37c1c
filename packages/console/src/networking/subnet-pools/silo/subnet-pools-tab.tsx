import { subnetPoolKind } from '../../pools/pool-kind.ts'
import { SiloPools } from '../../pools/silo-pools.tsx'
import { useSiloParam } from '../../../tenancy/silos/queries.ts'
import { SiloTab } from '../../../tenancy/silos/silo-tabs.tsx'

export const SiloSubnetPoolsTab = () => (
  <SiloTab tab="Subnet pools">
    <SiloPools kind={subnetPoolKind} silo={useSiloParam()} />
  </SiloTab>
)
