/** Links between pools and silos, common to IP pools and subnet pools. */
import { boolean, NameOrId, record, type Schema, uuid } from '../../schema.ts'

interface PoolLinkSchemas {
  LinkSilo: Schema
  SiloLink: Schema
  SiloUpdate: Schema
}

/**
 * Schemas of the links of one kind of pool.
 * @param pool name of the pool in schemas, `IpPool`
 * @param idField property of a link with the id of the pool
 */
export function poolLinkSchemas(pool: string, idField: string): PoolLinkSchemas {
  const SiloLink = record(`${pool}SiloLink`, {
    [idField]: uuid,
    silo_id: uuid,
    is_default: boolean,
  })
  return {
    LinkSilo: record(`${pool}LinkSilo`, { silo: NameOrId, is_default: boolean }),
    SiloLink,
    SiloUpdate: record(`${pool}SiloUpdate`, { is_default: boolean }),
  }
}
