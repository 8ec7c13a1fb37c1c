import type { tables, Wire } from '@steading/api'
import packageJson from '../../../../package.json' with { type: 'json' }
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { TaskStatus } from '../../../kernel/task.ts'
import { redacted } from '../support-bundles/redact.ts'
import { overdueRows } from './overdue.ts'

const toWireTask = ({ name, running, last, time_next }: TaskStatus): Wire.ServerTask => ({
  name,
  running,
  last: last
    ? {
        time_began: last.time_began.toISOString(),
        seconds: last.ms / 1000,
        result: last.result,
        error:
          last.error === undefined
            ? null
            : redacted(last.error instanceof Error ? last.error.message : String(last.error)),
      }
    : null,
  time_next: time_next?.toISOString() ?? null,
})

/** Load balancers look only at the status. */
const readiness = (health: Wire.Health): Response =>
  Response.json(health, { status: health.ready ? 200 : 503 })

export const healthHandlers: Handlers<typeof tables.healthOperations> = {
  health_view: async ({ services }) => readiness(await services.health.view()),
  health_live_view: async () => ({ live: true }),
  health_ready_view: async ({ services }) => readiness(await services.health.view()),

  async system_health_view(ctx) {
    authorize(ctx, 'fleet', {})
    const { services } = ctx
    const { database } = services
    const { status } = await services.health.view()
    const { bytes } = (await database.figures?.()) ?? { bytes: 0 }
    return {
      status,
      version: packageJson.version,
      time_started: services.started,
      database: database.dialect,
      database_bytes: bytes,
      clock_ahead_seconds: services.clockAhead(),
      disk_full: services.outages.lasts('full'),
      database_damage: [...(services.outages.damage()?.findings ?? [])],
      overdue: await overdueRows(services),
      event_followers: services.feed.followers(),
      tasks: services.tasks().map(toWireTask),
    }
  },
}
