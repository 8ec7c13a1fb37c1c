import type { StoredKind } from '../../../kernel/kinds.ts'
import { rackSwitchTables } from './table.ts'

export const rack_switch: StoredKind<'rack_switch'> = {
  tables: rackSwitchTables,
  live: '1 = 1',
}
