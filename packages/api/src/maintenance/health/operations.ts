import type { Operation } from '../../operation.ts'
import { Health, Liveness, SystemHealth } from './schemas.ts'

const tags = ['extensions']
/** The answer is 503 while the server is not ready, with the same body. */
const readiness = { status: 200, schema: Health } as const

export const healthOperations = {
  health_view: {
    method: 'GET',
    path: '/x/v1/health',
    tags,
    summary: 'Tell whether this server lives and is ready; 503 if it is not ready',
    permission: 'public',
    success: readiness,
  },
  health_live_view: {
    method: 'GET',
    path: '/x/v1/health/live',
    tags,
    summary: 'Tell that this server lives',
    permission: 'public',
    success: { status: 200, schema: Liveness },
  },
  health_ready_view: {
    method: 'GET',
    path: '/x/v1/health/ready',
    tags,
    summary: 'Tell whether this server is ready; 503 if it is not',
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
