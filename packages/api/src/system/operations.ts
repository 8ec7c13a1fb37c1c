import type { Operation } from '../operation.ts'
import { Ping } from './schemas.ts'

export const systemOperations = {
  ping: {
    method: 'GET',
    path: '/v1/ping',
    tags: ['system/status'],
    summary: 'Tell that the control plane answers',
    permission: 'public',
    success: { status: 200, schema: Ping },
  },
} as const satisfies Record<string, Operation>
