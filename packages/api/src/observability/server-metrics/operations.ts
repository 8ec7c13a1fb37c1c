import type { Operation } from '../../operation.ts'
import { string } from '../../schema.ts'

export const serverMetricsOperations = {
  server_metrics_view: {
    method: 'GET',
    path: '/x/v1/metrics',
    tags: ['extensions'],
    summary: 'Show the metrics of this server in the text format of Prometheus',
    permission: { fleet: 'read' },
    success: {
      status: 200,
      schema: string,
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
    },
  },
} as const satisfies Record<string, Operation>
