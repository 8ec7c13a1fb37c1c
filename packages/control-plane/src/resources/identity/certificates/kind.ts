import type { StoredKind } from '../../../kernel/kinds.ts'
import { certificateTables } from './table.ts'

export const certificate: StoredKind<'certificate'> = {
  tables: certificateTables,
  live: '1 = 1',
}
