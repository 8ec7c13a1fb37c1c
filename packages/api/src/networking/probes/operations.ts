import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, NamesOrIds, Uuids } from '../../schema.ts'
import { searched } from '../../searched.ts'
import { ListedProbe, Probe, ProbeCreate, ProbeInfo, ProbeInfoResultsPage } from './schemas.ts'

const path = '/experimental/v1/probes'
const tags = ['experimental']
const params = { probe: NameOrId }
/** The project is required, even with an id. */
const query = { project: NameOrId }

const probe_list = {
  method: 'GET',
  path,
  tags,
  summary: 'List the probes of a project',
  permission: { project: 'list' },
  ...paged('name_or_id', { project: NameOrId.optional() }, ['project']),
  success: { status: 200, schema: ProbeInfoResultsPage },
} as const satisfies Operation

export const probeOperations = {
  probe_list,
  probe_search: searched({
    kind: 'Probe',
    item: ListedProbe,
    plain: { ...probe_list, path: '/v1/probes' },
    columns: ['name', 'natural_name', 'description', 'ip', 'time_created'],
    filters: { pool: NamesOrIds, sled: Uuids },
    selectors: { project: NameOrId.optional() },
  }),
  probe_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create a probe on a sled, with an interface and an external address',
    permission: { project: 'create', vpc_subnet: 'read' },
    query,
    body: ProbeCreate,
    success: { status: 201, schema: Probe },
  },
  probe_view: {
    method: 'GET',
    path: `${path}/{probe}`,
    tags,
    summary: 'Show a probe',
    permission: { project: 'read', probe: 'read' },
    params,
    query,
    success: { status: 200, schema: ProbeInfo },
  },
  probe_delete: {
    method: 'DELETE',
    path: `${path}/{probe}`,
    tags,
    summary: 'Delete a probe and release its addresses',
    permission: { project: 'read', probe: 'modify' },
    params,
    query,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
