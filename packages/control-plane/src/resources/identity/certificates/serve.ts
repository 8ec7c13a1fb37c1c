/** Which certificate a host is served with. */
import { coversHost, siloOfHost } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { certificateNames } from './table.ts'

/** What a listener needs of a certificate. Certificates never change, so the id stands for it. */
export interface ServedCertificate {
  id: string
  /** PEM. */
  cert: string
  /** PEM. */
  key: string
}

/** With the time after which it is of no use. */
export interface DatedCertificate extends ServedCertificate {
  timeEnds: string
}

/**
 * The certificates with which a host can be served, the best first: those of its silo that cover it.
 * Those that are valid now come first, and of these the newest; then those that ended last. Other
 * silos' certificates are not considered, whatever names they have.
 */
export async function certificatesFor(
  db: Db,
  host: string,
  zones: readonly string[],
  time: Date,
): Promise<DatedCertificate[]> {
  const silo = siloOfHost(host, zones)
  if (silo === undefined) return []
  const rows = await db
    .selectFrom('certificate')
    .innerJoin('silo', 'silo.id', 'certificate.silo_id')
    .selectAll('certificate')
    .where('silo.name', '=', silo)
    .where('silo.time_deleted', 'is', null)
    .execute()
  const now = time.toISOString()
  const isValid = (row: (typeof rows)[number]) => row.time_starts <= now && now < row.time_ends
  return rows
    .filter((row) => certificateNames.read(row.names).some((name) => coversHost(name, host)))
    .sort((a, b) => {
      if (isValid(a) !== isValid(b)) return isValid(a) ? -1 : 1
      const by = isValid(a) ? 'time_created' : 'time_ends'
      return a[by] < b[by] ? 1 : -1
    })
    .map(({ id, cert, key, time_ends }) => ({ id, cert, key, timeEnds: time_ends }))
}
