import type { Kysely } from 'kysely'
import { UNSETTLED } from '../resources/compute/instances/issues.ts'
import { index, live } from './build.ts'

/** Finds the few instances that neither run nor are stopped. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  index(db, 'instance_unsettled', 'instance', ['time_run_state_updated'], {
    where: `${live} and ${UNSETTLED}`,
  })
