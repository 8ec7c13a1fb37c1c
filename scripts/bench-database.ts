/**
 * `npm run bench:database [-- contention | events | addresses | servers | scim | policies | overviews
 * | backups | schedules | notifications]`: benchmarks of the database layer on both databases, of two servers behind
 * one address, of overviews, of backups, of schedules and of
 * notifications. Only measures; nothing passes or fails.
 */
import { addressFigures } from './bench/addresses.ts'
import { backupFigures } from './bench/backups.ts'
import { contentionFigures } from './bench/contention.ts'
import { eventFigures } from './bench/events.ts'
import { overviewFigures } from './bench/overviews.ts'
import { scimFigures } from './bench/scim.ts'
import { notificationFigures } from './bench/notifications.ts'
import { policyFigures } from './bench/policies.ts'
import { scheduleFigures } from './bench/schedules.ts'
import { serverFigures } from './bench/servers.ts'

const figures = {
  contention: contentionFigures,
  events: eventFigures,
  addresses: addressFigures,
  servers: serverFigures,
  scim: scimFigures,
  policies: policyFigures,
  overviews: overviewFigures,
  backups: backupFigures,
  schedules: scheduleFigures,
  notifications: notificationFigures,
}

const [wanted] = process.argv.slice(2)
for (const [name, print] of Object.entries(figures)) {
  if (wanted === undefined || wanted === name) await print()
}
