import type { Wire } from '@steading/api'
import { siloHost } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { certificateNames } from './table.ts'

/**
 * Checks a certificate and stores it for a silo.
 * @throws ApiError 400 for one that cannot be served for the host names of the silo
 */
export async function createCertificate(
  { db, now, emit, services }: Writing & Pick<Work, 'services'>,
  silo: Pick<Row<'silo'>, 'id' | 'name'>,
  { name, description, service, cert, key }: Wire.CertificateCreate,
): Promise<Row<'certificate'>> {
  // Loaded on demand, because few calls need it and the start should be fast.
  const { checkCertificate } = await import('@steading/api/x509')
  const hosts = services.settings.externalZones.map((zone) => siloHost(silo.name, zone))
  const checked = await checkCertificate({ cert, key }, hosts, now)
  if ('of' in checked) throw fail.invalidValue(checked.of, checked.text)
  const time = now.toISOString()
  const certificate: Row<'certificate'> = {
    id: crypto.randomUUID(),
    silo_id: silo.id,
    name,
    description,
    service,
    cert,
    key: checked.key,
    names: certificateNames.write(checked.names),
    time_starts: checked.start.toISOString(),
    time_ends: checked.end.toISOString(),
    time_created: time,
    time_modified: time,
  }
  await db.insertInto('certificate').values(certificate).execute()
  await emit('certificate', 'create', certificate)
  return certificate
}

/** Checks and stores the certificates of a new silo, in the same transaction. */
export async function createCertificates(
  work: Writing & Pick<Work, 'services'>,
  silo: Pick<Row<'silo'>, 'id' | 'name'>,
  certificates: readonly Wire.CertificateCreate[],
): Promise<void> {
  for (const each of certificates) await createCertificate(work, silo, each)
}
