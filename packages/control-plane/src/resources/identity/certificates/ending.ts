/** Certificates that are about to expire, or have expired, without a replacement. */
import { CERTIFICATE_WARNING_DAYS, DAY_MS, daysLeft, isReplacedBy } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { certificateNames } from './kind.ts'

export interface EndingCertificate {
  id: string
  name: string
  silo_id: string
  silo_name: string
  time_ends: string
}

/**
 * The first to expire come first.
 * @param siloId only certificates of this silo
 */
export async function endingCertificates(
  db: Db,
  now: Date,
  siloId?: string,
): Promise<EndingCertificate[]> {
  const soon = new Date(now.getTime() + CERTIFICATE_WARNING_DAYS * DAY_MS).toISOString()
  const ending = await db
    .selectFrom('certificate')
    .innerJoin('silo', 'silo.id', 'certificate.silo_id')
    .select(['certificate.id', 'certificate.name', 'certificate.silo_id', 'certificate.names'])
    .select(['certificate.time_ends', 'silo.name as silo_name'])
    .where('certificate.time_ends', '<', soon)
    .where('silo.time_deleted', 'is', null)
    .$if(siloId !== undefined, (rows) => rows.where('certificate.silo_id', '=', siloId!))
    .orderBy('certificate.time_ends')
    .orderBy('certificate.id')
    .execute()
  if (ending.length === 0) return []
  const all = await db
    .selectFrom('certificate')
    .select(['silo_id', 'names', 'time_ends'])
    .where('silo_id', 'in', [...new Set(ending.map(({ silo_id }) => silo_id))])
    .execute()
  const validity = ({ names, time_ends }: { names: string; time_ends: string }) => ({
    names: certificateNames.read(names),
    end: new Date(time_ends),
  })
  return ending
    .filter(
      (each) =>
        !all.some(
          (other) =>
            other.silo_id === each.silo_id && isReplacedBy(validity(each), validity(other)),
        ),
    )
    .map(({ id, name, silo_id, silo_name, time_ends }) => ({
      id,
      name,
      silo_id,
      silo_name,
      time_ends,
    }))
}

const WARNED = 'certificates_warned'

/** Logs a warning about them, once a day on one of the servers. */
export async function warnOfEndings({
  database: { db },
  settings,
  clock,
}: Pick<ControlPlaneServices, 'database' | 'settings' | 'clock'>): Promise<void> {
  const now = clock()
  const ending = await endingCertificates(db, now)
  if (ending.length === 0) return
  const value = now.toISOString().slice(0, 10)
  const isFirst = await db
    .insertInto('setting')
    .values({ key: WARNED, value })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value }).where('setting.value', '<>', value),
    )
    .returning('key')
    .executeTakeFirst()
  if (!isFirst) return
  for (const { name, silo_name: silo, time_ends } of ending) {
    const days = daysLeft(new Date(time_ends), now)
    const ends = days < 0 ? 'has ended' : `ends in ${days} ${days === 1 ? 'day' : 'days'}`
    settings.log(`the certificate "${name}" of silo "${silo}" ${ends} (${time_ends})`)
  }
}
