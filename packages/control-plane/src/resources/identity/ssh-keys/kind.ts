import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { viewSshKey } from './view.ts'
import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { SshKeyTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    ssh_key: SshKeyTable
  }
}

storeTable('ssh_key', {
  marked: true,
  within: { silo_user_id: 'silo_user' },
  names: { ssh_key_name: kinds.ssh_key.type },
})

storeKind('ssh_key', {
  table: 'ssh_key',
  live: 'time_deleted is null',
  search: searchOf('current_user_ssh_key_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    views: each(viewSshKey),
  }),
})
