import type { Wire } from '@steading/api'
import { fail } from '../../kernel/errors.ts'
import type { Row } from '../../kernel/kinds.ts'
import type { Writing } from '../../kernel/work.ts'

/**
 * Checks certificates and stores them for a silo.
 * @throws ApiError 400 for a certificate that does not fit the silo
 */
export async function createCertificates(
  _work: Writing,
  _silo: Row<'silo'>,
  certificates: readonly Wire.CertificateCreate[],
): Promise<void> {
  if (certificates.length === 0) return
  throw fail.invalidRequest('certificates are not supported')
}
