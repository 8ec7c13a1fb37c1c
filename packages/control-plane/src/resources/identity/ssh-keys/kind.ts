import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'

export interface SshKeyTable extends Listed, SoftDeleted {
  silo_user_id: string
  public_key: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    ssh_key: SshKeyTable
  }
}

export const toWireSshKey = (row: Row<'ssh_key'>): Wire.SshKey => ({
  ...identityOf(row),
  public_key: row.public_key,
  silo_user_id: row.silo_user_id,
})

export const ssh_key: StoredKind<'ssh_key'> = {
  tables: {
    ssh_key: {
      marked: true,
      within: { silo_user_id: 'silo_user' },
      names: { ssh_key_name: kinds.ssh_key.type },
    },
  },
  live: 'time_deleted is null',
  evenIfLimited: true,
  search: searchOf('current_user_ssh_key_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    toWire: each(toWireSshKey),
  }),
}
