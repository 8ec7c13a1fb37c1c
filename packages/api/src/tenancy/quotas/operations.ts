import { SiloQuotas, SiloQuotasUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const quotaOperations = {
  ...usual('silo', {
    id: 'system_quotas',
    path: '/v1/system/silo-quotas/{silo}',
    tag: 'system/silos',
  })({
    system_quotas_list: {
      summary: 'List the quotas of all silos',
      permission: { fleet: 'list' },
      pages: SiloQuotas,
      sort: 'id',
    },
  }),
  ...usual('silo', {
    item: SiloQuotas,
    id: 'silo_quotas',
    path: '/v1/system/silos/{silo}/quotas',
    tag: 'system/silos',
  })({
    silo_quotas_view: { summary: 'Show the quotas of a silo' },
    silo_quotas_update: {
      summary: 'Change the quotas of a silo',
      // Quotas are set by users who may create silos; silo admins may not.
      permission: { silo: 'read', fleet: 'create' },
      body: SiloQuotasUpdate,
      versioned: 'silo_quotas',
    },
  }),
}
