import type { Dialect, Migrations } from '../kernel/db/database.ts'
import { up as foundation } from './0001-foundation.ts'
import { up as affinity } from './0002-affinity.ts'
import { up as storage } from './0003-storage.ts'
import { up as lists } from './0004-lists.ts'
import { up as jobs } from './0005-jobs.ts'
import { up as deletion } from './0006-deletion.ts'
import { up as moreLists } from './0007-more-lists.ts'
import { up as leases } from './0008-leases.ts'
import { up as events } from './0009-events.ts'
import { up as addresses } from './0010-addresses.ts'
import { up as purge } from './0011-purge.ts'
import { up as nameKeys } from './0016-name-keys.ts'
import { up as eventAuthors } from './0019-event-authors.ts'
import { up as auditLog } from './0024-audit-log.ts'
import { up as fewerIndexes } from './0096-fewer-indexes.ts'
import { up as stepFailures } from './0105-step-failures.ts'

/** The migrations that were made before resources had their own in their folders, or that concern many resources. */
export const migrations = (dialect: Dialect): Migrations => ({
  '0001-foundation': { up: (db) => foundation(db, dialect) },
  '0002-affinity': { up: (db) => affinity(db, dialect) },
  '0003-storage': { up: (db) => storage(db, dialect) },
  '0004-lists': { up: lists },
  '0005-jobs': { up: (db) => jobs(db, dialect) },
  '0006-deletion': { up: deletion },
  '0007-more-lists': { up: moreLists },
  '0008-leases': { up: (db) => leases(db, dialect) },
  '0009-events': { up: (db) => events(db, dialect) },
  '0010-addresses': { up: (db) => addresses(db, dialect) },
  '0011-purge': { up: purge },
  '0016-name-keys': { up: (db) => nameKeys(db, dialect) },
  '0019-event-authors': { up: eventAuthors },
  '0024-audit-log': { up: (db) => auditLog(db, dialect) },
  '0096-fewer-indexes': { up: (db) => fewerIndexes(db, dialect) },
  '0105-step-failures': { up: stepFailures },
})
