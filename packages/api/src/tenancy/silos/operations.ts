import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import { identityModes, Silo, SiloCreate, SiloResultsPage } from './schemas.ts'

const tags = ['system/silos']

const silo_list = {
  method: 'GET',
  path: '/v1/system/silos',
  tags,
  summary: 'List the discoverable silos',
  permission: { fleet: 'list' },
  ...paged('name_or_id'),
  success: { status: 200, schema: SiloResultsPage },
} as const satisfies Operation

export const siloOperations = {
  silo_list,
  silo_search: searched({
    kind: 'Silo',
    item: Silo,
    plain: silo_list,
    columns: ['name', 'natural_name', 'description', 'time_created'],
    filters: { identity_mode: identityModes },
  }),
  silo_create: {
    method: 'POST',
    path: '/v1/system/silos',
    tags,
    summary: 'Create a silo',
    // The handler requires more for mapped fleet roles, which can create fleet admins.
    permission: { fleet: 'create' },
    body: SiloCreate,
    success: { status: 201, schema: Silo },
  },
  silo_view: {
    method: 'GET',
    path: '/v1/system/silos/{silo}',
    tags,
    summary: 'Show a silo',
    permission: { silo: 'read' },
    params: { silo: NameOrId },
    success: { status: 200, schema: Silo },
  },
  silo_delete: {
    method: 'DELETE',
    path: '/v1/system/silos/{silo}',
    tags,
    summary: 'Delete a silo without projects, with its users and groups',
    permission: { silo: 'modify' },
    params: { silo: NameOrId },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
