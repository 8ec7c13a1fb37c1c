import type { Operation } from '../operation.ts'
import { Utilization } from './schemas.ts'

export const utilizationOperations = {
  utilization_view: {
    method: 'GET',
    path: '/v1/utilization',
    tags: ['silos'],
    summary: 'Show what the own silo uses of its quota',
    permission: { silo: 'read' },
    success: { status: 200, schema: Utilization },
  },
} as const satisfies Record<string, Operation>
