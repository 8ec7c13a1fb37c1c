/** Looks for issues that begin and end, soon after changes and now and then, on one server. */
import { createTaskLease } from '../timeseries/task-lease.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import { surveyIssues } from './survey.ts'

export interface NotificationWatcher {
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Looks once more, after the present look; does nothing while another server looks. */
  look: () => Promise<void>
}

/** Milliseconds between two looks without a notice; some issues begin with time alone. */
const LOOK_MS = 10_000
/** Milliseconds after a notice, in which further changes are gathered. */
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
  const { database, settings } = services
  const lease = createTaskLease(database, 'notifications', settings.log, async () => true)
  let stopped = false
  let started = false
  let running: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Infinity
  let restUntil = 0

  const goesOn = () => !stopped && lease.held()
  const survey = async () => {
    if (stopped || !(await lease.take())) return
    const began = performance.now()
    try {
      await surveyIssues(services, goesOn)
    } catch (error) {
      if (!stopped) settings.log('looking for notifications failed; trying again', error)
    }
    restUntil = performance.now() + REST_FACTOR * (performance.now() - began)
  }
  const look = (): Promise<void> => {
    running = running.then(survey)
    return running
  }
  /** Sets the timer to a time, unless it is set to an earlier one. */
  const plan = (ms: number) => {
    const at = Math.max(performance.now() + ms, restUntil)
    if (!started || stopped || at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => {
      dueAt = Infinity
      void look().then(() => plan(LOOK_MS))
    }, at - performance.now())
  }
  database.watch(columns, () => plan(GATHER_MS))

  return {
    look,
    async start() {
      await lease.start()
      started = true
      plan(GATHER_MS)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
      if (started) await lease.stop()
    },
  }
}
