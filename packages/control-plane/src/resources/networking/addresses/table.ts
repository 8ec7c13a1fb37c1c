/** Pools, members of subnet pools, and subnets whose free addresses are stored. */
export interface AddressSpaceTable {
  id: string
}

/** A range of unused addresses, from its first to its last, as keys like `ip_key`. */
export interface FreeAddressTable {
  space_id: string
  first_key: string
  last_key: string
}

/** A network that is entirely free; see `blocks.ts`. */
export interface FreeBlockTable {
  space_id: string
  first_key: string
  prefix_length: number
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    address_space: AddressSpaceTable
    free_address: FreeAddressTable
    free_block: FreeBlockTable
  }
}
