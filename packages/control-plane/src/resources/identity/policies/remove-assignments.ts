import { FLEET_ID } from '@steading/api/rules'
import type { Writing } from '../../../kernel/work.ts'
import { takeRoles } from './assignments.ts'

/** Removes all role assignments of a deleted user or group. */
export async function removeAssignments(
  { db, emit }: Writing,
  identityId: string,
  siloId: string,
): Promise<void> {
  const removed = await takeRoles(db, { identity_id: identityId })
  const subjects = new Map(removed.map((row) => [`${row.resource_type} ${row.resource_id}`, row]))
  for (const { resource_type, resource_id: id } of subjects.values()) {
    const places = {
      fleet: { id: FLEET_ID, name: 'fleet' },
      silo: { id, name: '', silo_id: id },
      project: { id, name: '', silo_id: siloId, project_id: id },
    }
    await emit('policy', 'update', places[resource_type])
  }
}
