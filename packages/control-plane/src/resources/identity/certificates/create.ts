import type { Wire } from '@steading/api'
import { siloHost } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { certificateNames } from './kind.ts'

/**
 * Checks a certificate and stores it for a silo.
 * @throws ApiError 400 for one that cannot be served for the host names of the silo
 */
export async function createCertificate(
  work: Writing & Pick<Work, 'services'>,
  silo: Pick<Row<'silo'>, 'id' | 'name'>,
  { service, cert, key, ...described }: Wire.CertificateCreate,
): Promise<Row<'certificate'>> {
  // Loaded on demand, because few calls need it and the start should be fast.
  const { checkCertificate } = await import('@steading/api/x509')
  const hosts = work.services.settings.externalZones.map((zone) => siloHost(silo.name, zone))
  const checked = await checkCertificate({ cert, key }, hosts, work.now)
  if ('of' in checked) throw fail.invalidValue(checked.of, checked.text)
  return insertNamed(work, 'certificate', described, {
    silo_id: silo.id,
    service,
    cert,
    key: checked.key,
    names: certificateNames.write(checked.names),
    time_starts: checked.start.toISOString(),
    time_ends: checked.end.toISOString(),
  })
}

/** Checks and stores the certificates of a new silo, in the same transaction. */
export async function createCertificates(
  work: Writing & Pick<Work, 'services'>,
  silo: Pick<Row<'silo'>, 'id' | 'name'>,
  certificates: readonly Wire.CertificateCreate[],
): Promise<void> {
  for (const each of certificates) await createCertificate(work, silo, each)
}
