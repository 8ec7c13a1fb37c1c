/** Finds pools, and resources allocated from them, by any address inside. */
import { addressBits, parseAddress } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Handle } from '../../../kernel/search/handles.ts'
import { addressKey, maskedKey } from '../addresses/keys.ts'

/** The pools with a range or a member that contains an address. */
export const addressesInside = (
  table: 'ip_pool_range' | 'subnet_pool_member',
  thing: string,
): Handle => ({
  form: 'block',
  table,
  column: 'first_key',
  thing,
  holds(address) {
    const key = addressKey(parseAddress(address)!)
    // Keys of the other version have another length.
    return sql<boolean>`length(first_key) = ${key.length}
      and first_key <= ${key} and last_key >= ${key}`
  },
  // Pools are in no project.
  within: () => sql<boolean>`1 = 1`,
})

/** The external subnets that contain an address: each network around it is looked up by its key. */
export const externalSubnetsAround: Handle = {
  form: 'block',
  table: 'external_subnet',
  column: 'subnet',
  thing: 'id',
  holds(text) {
    const address = parseAddress(text)!
    const key = addressKey(address)
    const networks = Array.from(
      { length: addressBits[address.version] + 1 },
      (_, length) => sql`(${maskedKey(key, length)}, ${sql.lit(length)})`,
    )
    return sql<boolean>`(first_key, prefix_length) in (values ${sql.join(networks)})`
  },
  within: (projects) => sql`project_id in (${projects})`,
}
