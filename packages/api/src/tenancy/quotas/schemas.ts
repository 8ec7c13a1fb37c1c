import { ByteCount, int64, record, uuid } from '../../schema.ts'

const quotas = { cpus: int64, memory: ByteCount, storage: ByteCount }

export const SiloQuotasCreate = record('SiloQuotasCreate', quotas)
export const SiloQuotas = record('SiloQuotas', { silo_id: uuid, ...quotas })

/** Absent or null fields remain unchanged. */
export const SiloQuotasUpdate = record('SiloQuotasUpdate', {
  cpus: int64.nullable().optional(),
  memory: ByteCount.nullable().optional(),
  storage: ByteCount.nullable().optional(),
})
