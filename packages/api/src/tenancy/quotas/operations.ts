import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { SiloQuotas, SiloQuotasResultsPage, SiloQuotasUpdate } from './schemas.ts'

const path = '/v1/system/silos/{silo}/quotas'
const tags = ['system/silos']

export const quotaOperations = {
  system_quotas_list: {
    method: 'GET',
    path: '/v1/system/silo-quotas',
    tags,
    summary: 'List the quotas of all silos',
    permission: { fleet: 'list' },
    ...paged('id'),
    success: { status: 200, schema: SiloQuotasResultsPage },
  },
  silo_quotas_view: {
    method: 'GET',
    path,
    tags,
    summary: 'Show the quotas of a silo',
    permission: { silo: 'read' },
    params: { silo: NameOrId },
    success: { status: 200, schema: SiloQuotas },
  },
  silo_quotas_update: {
    method: 'PUT',
    path,
    tags,
    summary: 'Change the quotas of a silo',
    // Quotas are set by users who may create silos; silo admins may not.
    permission: { silo: 'read', fleet: 'create' },
    params: { silo: NameOrId },
    body: SiloQuotasUpdate,
    versioned: 'silo_quotas',
    success: { status: 200, schema: SiloQuotas },
  },
} as const satisfies Record<string, Operation>
