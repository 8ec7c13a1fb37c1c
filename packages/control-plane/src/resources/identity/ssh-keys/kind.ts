import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { toWireSshKey } from './wire.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { sshKeyTables } from './table.ts'

export const ssh_key: StoredKind<'ssh_key'> = {
  tables: sshKeyTables,
  live: 'time_deleted is null',
  evenIfLimited: true,
  search: searchOf('current_user_ssh_key_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    toWire: each(toWireSshKey),
  }),
}
