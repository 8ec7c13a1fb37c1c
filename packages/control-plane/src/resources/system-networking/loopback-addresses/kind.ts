import type { StoredKind } from '../../../kernel/kinds.ts'
import { loopbackAddressTables } from './table.ts'

export const loopback_address: StoredKind<'loopback_address'> = {
  tables: loopbackAddressTables,
  live: '1 = 1',
}
