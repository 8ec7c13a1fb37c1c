import { PoolSelector } from '../ip-pools/schemas.ts'
import { ip } from '../../network.ts'
import { NetworkInterface } from '../network-interfaces/any-schemas.ts'
import {
  identity,
  identityCreate,
  list,
  Name,
  named,
  NameOrId,
  NamesOrIds,
  oneOf,
  record,
  uint16,
  uuid,
  Uuids,
} from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const ProbeCreate = record('ProbeCreate', {
  ...identityCreate,
  sled: uuid,
  pool_selector: PoolSelector.default({ type: 'auto', ip_version: null }),
})

/** Answer of the call that creates a probe. */
const Probe = record('Probe', { ...identity, sled: uuid })

const ProbeExternalIp = record('ProbeExternalIp', {
  ip,
  first_port: uint16,
  last_port: uint16,
  kind: named('ProbeExternalIpKind', oneOf('snat', 'floating', 'ephemeral')),
})

const network = {
  sled: uuid,
  external_ips: list(ProbeExternalIp),
  interface: NetworkInterface,
}
const ProbeInfo = record('ProbeInfo', { id: uuid, name: Name, ...network })

/** A probe in a searched list, with the fields that the contract returns only on creation. */
const ListedProbe = record('ListedProbe', { ...identity, ...network })

/** The project is required, even with an id. */
const query = { project: NameOrId }

export const probeOperations = usual('probe', {
  item: ProbeInfo,
  path: '/experimental/v1/probes/{probe}',
  tag: 'experimental',
})({
  probe_list: {},
  probe_search: {
    route: 'GET /v1/probes',
    query: { project: NameOrId.optional() },
    required: ['project'],
    pages: ListedProbe,
    items: 'Probe',
    columns: ['ip'],
    filters: { pool: NamesOrIds, sled: Uuids },
  },
  probe_create: {
    summary: 'Create a probe on a sled, with an interface and an external address',
    permission: { project: 'create', vpc_subnet: 'read' },
    body: ProbeCreate,
    answer: Probe,
  },
  probe_view: { permission: { project: 'read', probe: 'read' }, query },
  probe_delete: {
    summary: 'Delete a probe and release its addresses',
    permission: { project: 'read', probe: 'modify' },
    query,
  },
})
