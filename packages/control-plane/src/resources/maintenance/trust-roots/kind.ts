import './table.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'

export const trust_root: StoredKind<'trust_root'> = {
  live: '1 = 1',
}
