/** Pools and subnets whose free addresses are known. */
export interface AddressSpaceTable {
  id: string
  /** The ranges that were looked at; if they are others now, it is done again. */
  ranges: string
}

/** Addresses that nothing uses, from the first to the last, as keys like `ip_key`. */
export interface FreeAddressTable {
  space_id: string
  first_key: string
  last_key: string
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    address_space: AddressSpaceTable
    free_address: FreeAddressTable
  }
}
