import {
  ALERTS_KEPT_MS,
  AUDIT_KEPT_MS,
  EVENTS_KEPT_MS,
  FIRINGS_KEPT_MS,
  HOST_EVENTS_KEPT_MS,
  IMAGE_DOWNLOADS_KEPT_MS,
  JOB_KEPT_MS,
  JOB_PLAN_KEPT_MS,
  PROVISIONED_KEPT_MS,
  SETTING_VERSIONS_KEPT_MS,
  USAGE_KEPT_MS,
} from '@steading/api/rules'
import { createTask, type Task } from './kernel/task.ts'
import { purgeFences } from './kernel/db/fences.ts'
import type { ControlPlaneServices } from './kernel/services.ts'
import { purgeHostEvents } from './resources/hardware/host-fencing/events.ts'
import { purgeFirings } from './resources/observability/alert-rules/firings.ts'
import { purgeAlerts } from './resources/observability/alerts/purge.ts'
import { warnOfEndings } from './resources/identity/certificates/ending.ts'
import { purgeDeviceRequests } from './resources/identity/device-auth/handlers.ts'
import { tidyNotifications } from './resources/observability/notifications/tidy.ts'
import { noteUse } from './resources/observability/forecasts/history.ts'
import { purgeProvisioned } from './resources/observability/metrics/purge.ts'
import { recordAll } from './resources/observability/metrics/record.ts'
import { hasExpired } from './resources/identity/sessions/sessions.ts'
import { pruneReleases } from './resources/maintenance/update-repositories/prune.ts'
import { purgeUploads } from './resources/maintenance/update-repositories/uploads.ts'
import { tidyUserLinks } from './resources/identity/user-links/tidy.ts'
import { purgeUsed } from './resources/identity/auth/use-once.ts'
import { purgeUsage } from './resources/tenancy/usage/purge.ts'
import { purgeSettingVersions } from './resources/workspace/setting-versions/purge.ts'
import { purgeAuditLog, purgeDeleted, purgeEvents } from './purge.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Warns of expiring certificates, records the use of quotas and pools, and removes old events,
 * audit entries, alerts, points of metrics and records of use, expired sessions and access tokens, abandoned
 * uploads, old releases, old jobs and image downloads, and rows of deleted resources. Two runs at
 * the same time do no harm.
 */
async function tidy(services: ControlPlaneServices, isActive: () => boolean): Promise<void> {
  const { settings, clock, reconciler } = services
  const { db } = services.database
  const before = (ms: number): string => new Date(clock().getTime() - ms).toISOString()
  // First, so that slow or failing work below delays no warning.
  await warnOfEndings(services)
  await noteUse(db, clock())
  await recordAll(services.database, clock())
  await purgeEvents(db, before(EVENTS_KEPT_MS), isActive)
  await purgeAuditLog(db, before(AUDIT_KEPT_MS), isActive)
  await purgeAlerts(db, before(ALERTS_KEPT_MS), isActive)
  await tidyNotifications(db, clock(), isActive)
  await purgeFirings(db, before(FIRINGS_KEPT_MS), isActive)
  await purgeHostEvents(db, before(HOST_EVENTS_KEPT_MS), isActive)
  await purgeProvisioned(db, before(PROVISIONED_KEPT_MS), isActive)
  await purgeSettingVersions(db, before(SETTING_VERSIONS_KEPT_MS), isActive)
  await purgeUsage(db, clock().getTime() - USAGE_KEPT_MS, isActive)
  await db.deleteFrom('console_session').where(hasExpired(settings, clock())).execute()
  await db
    .deleteFrom('ended_session')
    .where('time_ended', '<', before(settings.sessionAbsoluteMs))
    .execute()
  const now = clock().toISOString()
  await db.deleteFrom('access_token').where('time_expires', '<', now).execute()
  await purgeDeviceRequests(db, clock())
  await purgeUsed(db, clock())
  await tidyUserLinks(db, clock())
  await purgeFences(services.database)
  await purgeUploads(services)
  await pruneReleases(services)
  await db
    .updateTable('job')
    .set({ time_deleted: now, reconcile_at: now })
    .where('time_deleted', 'is', null)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'planned').and('time_created', '<', before(JOB_PLAN_KEPT_MS)),
        eb('state', '=', 'done').and('time_finished', '<', before(JOB_KEPT_MS)),
      ]),
    )
    .execute()
  reconciler.wake('job')
  await db
    .deleteFrom('image_download')
    .where('time_finished', '<', before(IMAGE_DOWNLOADS_KEPT_MS))
    .where('disk_id', 'is', null)
    .where('snapshot_id', 'is', null)
    .execute()
  await purgeDeleted(db, before(settings.deletedKeptMs), isActive)
}

export interface Housekeeping extends Task {
  /** Tidies up once. */
  tidy: () => Promise<void>
}

/** Tidies up now and every hour. */
export function createHousekeeping(services: ControlPlaneServices): Housekeeping {
  const { clock, settings } = services
  const task = createTask(
    { clock, log: settings.log },
    { name: 'housekeeping', every: HOUR_MS, first: 0 },
    (isActive) => tidy(services, isActive),
  )
  return { ...task, tidy: () => tidy(services, () => true) }
}
