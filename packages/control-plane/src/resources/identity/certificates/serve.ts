/** Chooses the certificate for serving a host. */
import { coversHost, siloOfHost } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { certificateNames } from './kind.ts'

/**
 * A certificate as a listener needs it. Certificates never change, so the id identifies the
 * contents.
 */
export interface ServedCertificate {
  id: string
  /** PEM. */
  cert: string
  /** PEM. */
  key: string
}

/** A certificate with its expiry time. */
export interface DatedCertificate extends ServedCertificate {
  timeEnds: string
}

/**
 * The certificates for serving a host, the best first: those of its silo that cover it. Valid ones
 * come first, the newest at the top; then the ones that expired last. Other silos' certificates are
 * not considered, whatever their names.
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
