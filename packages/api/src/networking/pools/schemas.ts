/** Links of pools to silos, which pools of addresses and pools of subnets have alike. */
import { boolean, NameOrId, record, resultsPage, type Schema, uuid } from '../../schema.ts'

interface PoolLinkSchemas {
  LinkSilo: Schema
  SiloLink: Schema
  SiloLinkResultsPage: Schema
  SiloUpdate: Schema
}

/**
 * The schemas of the links of a kind of pool.
 * @param pool what the schemas call it, `IpPool`
 * @param idField the property of a link that has the id of the pool
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
    SiloLinkResultsPage: resultsPage(`${pool}SiloLink`, SiloLink),
    SiloUpdate: record(`${pool}SiloUpdate`, { is_default: boolean }),
  }
}
