import type { Handlers } from '../../kernel/context.ts'
import { lookupSilo } from '../silos/lookup.ts'

export const utilizationHandlers: Handlers<'utilization_view'> = {
  async utilization_view(ctx) {
    const silo = await lookupSilo(ctx, ctx.actor.siloId)
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
