import { QUOTA_NEARLY_USED } from '@steading/api'
import { sql } from 'kysely'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'

const parts = [
  { what: 'CPUs', used: 'used_cpus', quota: 'quota_cpus' },
  { what: 'memory', used: 'used_memory', quota: 'quota_memory' },
  { what: 'storage', used: 'used_storage', quota: 'quota_storage' },
] as const

export const siloIssues: Finder = async ({ db }) => {
  const silos = await db
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
    .orderBy('name')
    .limit(ISSUE_ROWS)
    .execute()
  return silos.map((silo) => {
    const shares = parts
      .filter(({ used }) => silo[used] > 0)
      .map(({ what, used, quota }) => ({ what, share: silo[used] / silo[quota] }))
      .filter(({ share }) => share >= QUOTA_NEARLY_USED)
    return issue('silo_near_quota', silo.id, null, { name: silo.name, shares })
  })
}
