import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Identity } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'

export interface CertificateTable extends Identity {
  silo_id: string
  service: Wire.ServiceUsingCertificate
  /** PEM, as given. */
  cert: string
  /** PEM. A key must not outlive its certificate, so rows are removed at once. */
  key: string
  /** JSON: the names it covers. */
  names: string
  time_starts: string
  time_ends: string
}

export const certificateNames = jsonColumn<string[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    certificate: CertificateTable
  }
}

export const certificate: StoredKind<'certificate'> = {
  tables: {
    certificate: {
      times: {
        time_starts: { mayBeAhead: 'the certificate says so' },
        time_ends: { mayBeAhead: 'the certificate says so' },
      },
      within: { silo_id: 'silo' },
      names: { certificate_name: kinds.certificate.type },
    },
  },
  live: '1 = 1',
}
