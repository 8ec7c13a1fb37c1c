import { ipPoolKind } from '../pools/pool-kind.ts'
import { SiloPools } from '../pools/silo-pools.tsx'
import { useSiloParam } from '../silos/queries.ts'
import { SiloTab } from '../silos/silo-tabs.tsx'

export const SiloIpPoolsTab = () => (
  <SiloTab tab="IP pools">
    <SiloPools kind={ipPoolKind} silo={useSiloParam()} />
  </SiloTab>
)
