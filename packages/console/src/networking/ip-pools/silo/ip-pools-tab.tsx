import { ipPoolKind } from '../../pools/pool-kind.ts'
import { SiloPools } from '../../pools/silo-pools.tsx'
import { useSiloParam } from '../../../tenancy/silos/queries.ts'
import { SiloTab } from '../../../tenancy/silos/silo-tabs.tsx'

export const SiloIpPoolsTab = () => (
  <SiloTab tab="IP pools">
    <SiloPools kind={ipPoolKind} silo={useSiloParam()} />
  </SiloTab>
)
