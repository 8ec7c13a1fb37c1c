import './table.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'

export const bfd_session: StoredKind<'bfd_session'> = {
  live: '1 = 1',
}
