import { poolColumns } from './columns.tsx'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { poolDocs, usePoolActions } from './pool-actions.tsx'
import {
  ipPoolKind,
  ipPoolListDefinition,
  POLL_MS,
  type PoolKind,
  subnetPoolKind,
  subnetPoolListDefinition,
} from './pool-kind.ts'

/** @param list not a property of the kind, which the start does not need as a whole */
const poolsOf = (kind: PoolKind, list: typeof ipPoolListDefinition) =>
  resourceList({
    list,
    noun: kind.words,
    icon: kind.icon,
    docs: poolDocs[kind.thing],
    path: kind.paths.list,
    item: kind.paths.page,
    columns: poolColumns(kind),
    bulk: true,
    create: { ...kind.creation, calls: kind.create },
    empty: { create: kind.creation.quickLabel },
    alsoReads: [kind.utilization],
    interval: POLL_MS,
  })

const ipPools = poolsOf(ipPoolKind, ipPoolListDefinition)
const subnetPools = poolsOf(subnetPoolKind, subnetPoolListDefinition)

export const IpPoolsPage = () => (
  <ResourceList of={ipPools} within={ipPoolKind.listed} actions={usePoolActions(ipPoolKind)} />
)
export const SubnetPoolsPage = () => (
  <ResourceList of={subnetPools} actions={usePoolActions(subnetPoolKind)} />
)
