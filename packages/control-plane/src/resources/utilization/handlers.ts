import type { tables } from '@steading/api'
import type { Handlers } from '../../kernel/context.ts'
import { lookup } from '../../kernel/lookup.ts'

export const utilizationHandlers: Handlers<typeof tables.utilizationOperations> = {
  async utilization_view(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.actor.siloId)
    return {
      provisioned: {
        cpus: silo.used_cpus,
        memory: silo.used_memory,
        storage: silo.used_storage,
      },
      capacity: {
        cpus: silo.quota_cpus,
        memory: silo.quota_memory,
        storage: silo.quota_storage,
      },
    }
  },
}
