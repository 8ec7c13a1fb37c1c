/** The rows that hold addresses of IP pools. Each kind with such rows declares them. */
import type { RawBuilder } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { TableName } from '../../../kernel/db/tables.ts'
import { storedKinds } from '../../../kernel/kinds.ts'

/** The columns of the list of addresses in use, besides id, key, name and time. */
export const addressColumns = [
  'ip',
  'kind',
  'first_port',
  'last_port',
  'instance_id',
  'instance_name',
  'project_name',
  'silo_name',
] as const

/** SQL for the list of addresses in use; the table is called `its`. */
export interface ListedAddresses {
  columns: Record<(typeof addressColumns)[number], RawBuilder<unknown>>
  from: RawBuilder<unknown>
  /** Columns by whose beginnings an address is found, besides those of the address. */
  names: readonly string[]
}

export interface AddressHolder {
  /** A table with `ip_pool_id` and `ip_key`, and an index on both. */
  table: TableName
  /** The noun for its rows in messages: "external IP addresses". */
  words: string
  /** True of the rows, called `its`, that are in use in a silo. */
  inSilo: (siloId: string) => RawBuilder<boolean>
  /** Its rows in the list of the addresses of a pool that are in use. */
  listed: ListedAddresses
  /** Called when the free addresses of a pool have been computed. */
  opened?: (db: Db, poolId: string) => Promise<void>
}

declare module '../../../kernel/kinds.ts' {
  interface Storage {
    /** Its rows that hold addresses of IP pools. */
    addresses?: AddressHolder
  }
}

export const addressHolders = (): readonly AddressHolder[] =>
  storedKinds().flatMap(({ addresses }) => addresses ?? [])
