import type { Instance } from '@steading/api/client'
import type { Host } from './host.ts'

const EVERY_MS = 5000
const HOUR_MS = 60 * 60 * 1000

/** Records an hour in which an instance used half of its vCPU. */
export async function measured(
  { server }: Host,
  { id, projectId }: Pick<Instance, 'id' | 'projectId'>,
): Promise<void> {
  const { database, engines } = server.controlPlane
  const { silo_id } = await database.db
    .selectFrom('project')
    .select('silo_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const now = Date.now()
  const startTime = now - 2 * HOUR_MS
  const fields = {
    instance_id: id,
    project_id: projectId,
    silo_id,
    sled_id: id,
    sled_model: 'model',
    sled_revision: 1,
    sled_serial: 'BRM-0001',
    state: 'run',
    vcpu_id: 0,
  }
  const samples = Array.from({ length: (2 * HOUR_MS) / EVERY_MS + 1 }, (_, index) => ({
    name: 'virtual_machine:vcpu_usage',
    fields,
    timestamp: startTime + (index + 1) * EVERY_MS,
    startTime,
    datum: ((index + 1) * EVERY_MS * 1e6) / 2,
  }))
  await engines.timeSeries!.append(samples)
}
