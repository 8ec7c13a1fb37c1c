/** Which certificate a host is served with. */
import { coversHost, siloOfHost } from '@steading/api/rules'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { certificateNames } from './table.ts'

/** What a listener needs of a certificate. Certificates never change, so the id stands for it. */
export interface ServedCertificate {
  id: string
  /** PEM. */
  cert: string
  /** PEM. */
  key: string
}

/**
 * The certificates with which a host can be served, the best first: those of its silo that cover it.
 * Those that are valid now come first, and of these the newest; then those that ended last. Other
 * silos' certificates are not considered, whatever names they have.
 */
export async function certificatesFor(
  {
    database: { db },
    settings,
    clock,
  }: Pick<ControlPlaneServices, 'database' | 'settings' | 'clock'>,
  host: string,
): Promise<ServedCertificate[]> {
  const silo = siloOfHost(host, settings.externalZones)
  if (silo === undefined) return []
  const rows = await db
    .selectFrom('certificate')
    .innerJoin('silo', 'silo.id', 'certificate.silo_id')
    .selectAll('certificate')
    .where('silo.name', '=', silo)
    .where('silo.time_deleted', 'is', null)
    .execute()
  const now = clock().toISOString()
  const isValid = (row: (typeof rows)[number]) => row.time_starts <= now && now < row.time_ends
  return rows
    .filter((row) => certificateNames.read(row.names).some((name) => coversHost(name, host)))
    .sort((a, b) => {
      if (isValid(a) !== isValid(b)) return isValid(a) ? -1 : 1
      const by = isValid(a) ? 'time_created' : 'time_ends'
      return a[by] < b[by] ? 1 : -1
    })
    .map(({ id, cert, key }) => ({ id, cert, key }))
}
