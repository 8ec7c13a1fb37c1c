import { IpVersion } from '../ip-pools/schemas.ts'
import { boolean, identity, record, resultsPage } from '../schema.ts'

const subnetPoolFields = { ...identity, ip_version: IpVersion }

/** A pool as the users of a silo see it that is linked to it. */
export const SiloSubnetPool = record('SiloSubnetPool', {
  ...subnetPoolFields,
  is_default: boolean,
})
export const SiloSubnetPoolResultsPage = resultsPage('SiloSubnetPool', SiloSubnetPool)
