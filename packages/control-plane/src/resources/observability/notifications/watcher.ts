/** Looks for issues that begin and end, soon after changes and now and then, on one server. */
import { createTask, type Task } from '../../../kernel/task.ts'
import { createTaskLease } from '../../../kernel/task-lease.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import { resyncIssues } from './resync.ts'

export interface NotificationWatcher extends Task {
  /** Looks once more, after the present look; does nothing while another server looks. */
  look: () => Promise<void>
}

/** Milliseconds between two looks without a wake-up; some issues begin with time alone. */
const LOOK_MS = 10_000
/** Milliseconds after a wake-up, in which further changes are gathered. */
const GATHER_MS = 300
/** A look rests for at least this many times as long as the last one took. */
const REST_FACTOR = 5

/** The columns whose changes begin or end issues in projects. */
const columns = {
  alert_rule: ['firing', 'problem', 'severity'],
  schedule: ['time_failed'],
  instance: ['run_state', 'pause'],
  silo: ['quota_cpus', 'quota_memory', 'quota_storage'],
  certificate: [],
} satisfies Parameters<OpenDatabase['watch']>[0]

export function createNotificationWatcher(services: ControlPlaneServices): NotificationWatcher {
  const { database, settings, clock } = services
  const { log } = settings
  const lease = createTaskLease(database, 'notifications', log, async () => true)
  const task = createTask(
    { clock, log },
    {
      name: 'looking for notifications',
      every: LOOK_MS,
      first: GATHER_MS,
      restFactor: REST_FACTOR,
      lease,
    },
    async (isActive) => {
      if (!(await lease.take())) return 'elsewhere'
      await resyncIssues(services, () => isActive() && lease.held())
      return undefined
    },
  )
  database.watch(columns, () => task.soon(GATHER_MS))
  return { ...task, look: task.now }
}
