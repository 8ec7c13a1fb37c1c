import type { Instance, ListedInstance } from '@steading/api/client'
import { instanceStates } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const instanceListDefinition: ListDefinition<'instanceList'> = {
  kind: 'instance',
  id: 'instances',
  operation: 'instanceList',
  searched: 'instanceSearch',
  filters: { state: instanceStates.filter((state) => state !== 'destroyed') },
}

/** With its addresses and why it has failed, if the control plane sends them. */
export type InstanceRow = Instance & Partial<Pick<ListedInstance, 'externalIps' | 'failure'>>
