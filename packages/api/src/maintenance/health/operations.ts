import type { Operation } from '../../operation.ts'
import { Health, Liveness, SystemHealth } from './schemas.ts'

const tags = ['extensions']
/** While the server is not ready, the status is 503, with the same body. */
const readiness = { status: 200, schema: Health } as const

export const healthOperations = {
  health_view: {
    method: 'GET',
    path: '/x/v1/health',
    tags,
    summary: 'Check whether this server is live and ready; 503 if not ready',
    permission: 'public',
    success: readiness,
  },
  health_live_view: {
    method: 'GET',
    path: '/x/v1/health/live',
    tags,
    summary: 'Check that this server is live',
    permission: 'public',
    success: { status: 200, schema: Liveness },
  },
  health_ready_view: {
    method: 'GET',
    path: '/x/v1/health/ready',
    tags,
    summary: 'Check whether this server is ready; 503 if not',
    permission: 'public',
    success: readiness,
  },
  system_health_view: {
    method: 'GET',
    path: '/x/v1/system/health',
    tags,
    summary: 'Show the state of this server',
    permission: { fleet: 'read' },
    success: { status: 200, schema: SystemHealth },
  },
} as const satisfies Record<string, Operation>
