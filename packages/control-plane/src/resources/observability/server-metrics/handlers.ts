import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { readGauges } from './gauges.ts'

export const serverMetricsHandlers: Handlers<typeof tables.serverMetricsOperations> = {
  async server_metrics_view(ctx) {
    authorize(ctx, 'fleet', {})
    return ctx.services.measures.text(await readGauges(ctx.services))
  },
}
