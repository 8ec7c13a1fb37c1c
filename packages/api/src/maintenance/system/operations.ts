import type { Operation } from '../../operation.ts'
import { Capabilities, OpenApiDocument, Ping } from './schemas.ts'

export const systemOperations = {
  ping: {
    method: 'GET',
    path: '/v1/ping',
    tags: ['system/status'],
    summary: 'Check that the control plane responds',
    permission: 'public',
    success: { status: 200, schema: Ping },
  },
  capabilities_view: {
    method: 'GET',
    path: '/x/v1/capabilities',
    tags: ['extensions'],
    summary: 'List the extensions of this control plane',
    permission: 'public',
    success: { status: 200, schema: Capabilities },
  },
  openapi_view: {
    method: 'GET',
    path: '/x/v1/openapi.json',
    tags: ['extensions'],
    summary: 'Show this document',
    permission: 'public',
    success: { status: 200, schema: OpenApiDocument },
  },
} as const satisfies Record<string, Operation>
