import type { Operation } from '../../operation.ts'
import { NameOrId } from '../../schema.ts'
import { InstanceNetwork } from './schemas.ts'

export const instanceNetworkOperations = {
  instance_network_view: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/network',
    tags: ['extensions'],
    summary: 'Show the network of an instance as its engine has applied it',
    permission: { instance: 'read' },
    params: { instance: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: InstanceNetwork },
  },
} as const satisfies Record<string, Operation>
