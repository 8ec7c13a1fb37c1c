import { QUOTA_NEARLY_USED } from '@steading/api'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import {
  type Finder,
  type FoundIssue,
  issue,
  ISSUE_ROWS,
  type IssueScan,
  later,
  scanRows,
} from '../../../kernel/issues.ts'
import type { Row } from '../../../kernel/kinds.ts'

const parts = [
  { what: 'CPUs', used: 'used_cpus', quota: 'quota_cpus' },
  { what: 'memory', used: 'used_memory', quota: 'quota_memory' },
  { what: 'storage', used: 'used_storage', quota: 'quota_storage' },
] as const

type Usage = Pick<
  Row<'silo'>,
  'id' | 'name' | (typeof parts)[number]['used'] | (typeof parts)[number]['quota']
>

/** Each quota of which a silo has used nearly all. */
export const nearQuota = (silo: Usage): { what: string; share: number }[] =>
  parts
    .filter(({ used }) => silo[used] > 0)
    .map(({ what, used, quota }) => ({ what, share: silo[used] / silo[quota] }))
    .filter(({ share }) => share >= QUOTA_NEARLY_USED)

const silosNearQuota = (db: Db) =>
  db
    .selectFrom('silo')
    .select(['id', 'name', 'used_cpus', 'used_memory', 'used_storage'])
    .select(['quota_cpus', 'quota_memory', 'quota_storage'])
    .where('time_deleted', 'is', null)
    .where((eb) =>
      eb.or(
        parts.map(({ used, quota }) =>
          eb.and([
            eb(used, '>', 0),
            sql<boolean>`${eb.ref(used)} >= ${eb.ref(quota)} * ${sql.lit(QUOTA_NEARLY_USED)}`,
          ]),
        ),
      ),
    )

const quotaIssue = (silo: Usage): FoundIssue =>
  issue('silo_near_quota', silo.id, null, { name: silo.name, shares: nearQuota(silo) })

export const siloIssues: Finder = async ({ db }) =>
  (await silosNearQuota(db).orderBy('name').limit(ISSUE_ROWS).execute()).map(quotaIssue)

/** The issues of all silos. */
export const siloScan: IssueScan = async function* ({ db }) {
  const pieces = scanRows(
    (limit, after) => {
      const rows = silosNearQuota(db).orderBy('name').orderBy('id').limit(limit)
      return (after ? rows.where(later('name', 'id', after)) : rows).execute()
    },
    ({ name }) => name,
  )
  for await (const silos of pieces) {
    yield silos.map((silo) => ({ issue: quotaIssue(silo), siloId: silo.id, projectId: null }))
  }
}
