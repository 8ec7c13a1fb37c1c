import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { CertificateTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    certificate: CertificateTable
  }
}

storeTable('certificate', {
  within: { silo_id: 'silo' },
  names: { certificate_name: kinds.certificate.type },
})

storeKind('certificate', { table: 'certificate', live: '1 = 1' })
