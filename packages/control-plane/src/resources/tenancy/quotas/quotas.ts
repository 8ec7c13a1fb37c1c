import type { Wire } from '@steading/api'
import { negativeQuota, QUOTA_MAX } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'

type Columns = Pick<Row<'silo'>, 'quota_cpus' | 'quota_memory' | 'quota_storage'>

const stored = (quota: number): number => Math.min(quota, QUOTA_MAX)

/**
 * Quotas as stored with a silo.
 * @throws ApiError 400 for a negative one
 */
export function quotaColumns(
  verb: 'create' | 'update',
  { cpus, memory, storage }: Wire.SiloQuotasCreate,
): Columns {
  if (cpus < 0) throw fail.invalidRequest(negativeQuota(verb))
  return {
    quota_cpus: stored(cpus),
    quota_memory: stored(memory),
    quota_storage: stored(storage),
  }
}

export const toWireQuotas = (silo: Row<'silo'>): Wire.SiloQuotas => ({
  silo_id: silo.id,
  cpus: silo.quota_cpus,
  memory: silo.quota_memory,
  storage: silo.quota_storage,
})
