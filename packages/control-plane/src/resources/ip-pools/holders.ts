/** What has addresses of IP pools. Each resource that has some declares its table. */
import type { RawBuilder } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { TableName } from '../../kernel/db/tables.ts'

export interface AddressHolder {
  /** A table with `ip_pool_id` and `ip_key`, and an index on both. */
  table: TableName
  /** What messages call its rows: "external IP addresses". */
  words: string
  /** True of the rows, called `its`, that are in use in a silo. */
  inSilo: (siloId: string) => RawBuilder<boolean>
  /** What there is to do when the free addresses of a pool have been computed. */
  opened?: (db: Db, poolId: string) => Promise<void>
}

const declared: AddressHolder[] = []

export const holdAddresses = (holder: AddressHolder): void => {
  declared.push(holder)
}

export const addressHolders = (): readonly AddressHolder[] => declared
