import { subnetPoolKind } from '../pools/pool-kind.ts'
import { SiloPools } from '../pools/silo-pools.tsx'
import { useSiloParam } from '../silos/queries.ts'
import { SiloTab } from '../silos/silo-tabs.tsx'

export const SiloSubnetPoolsTab = () => (
  <SiloTab tab="Subnet pools">
    <SiloPools kind={subnetPoolKind} silo={useSiloParam()} />
  </SiloTab>
)
