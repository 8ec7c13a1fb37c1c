import type { Operation } from '../../operation.ts'
import { uuid } from '../../schema.ts'
import {
  SledMaintenance,
  SledMaintenanceBegin,
  SledMaintenancePreview,
  SledMaintenanceUpdate,
  SledMaintenanceStatus,
} from './schemas.ts'

const tags = ['extensions']
const path = '/x/v1/system/hardware/sleds/{sled_id}/maintenance'
const params = { sled_id: uuid }

export const sledMaintenanceOperations = {
  sled_maintenance_view: {
    method: 'GET',
    path,
    tags,
    summary: 'Show the maintenance of a sled',
    permission: { sled: 'read' },
    params,
    success: { status: 200, schema: SledMaintenance },
  },
  sled_maintenance_status: {
    method: 'GET',
    path: `${path}/status`,
    tags,
    summary: 'Show whether a sled is in maintenance, and which of its instances have not moved yet',
    permission: { sled: 'read' },
    params,
    transaction: 'snapshot',
    success: { status: 200, schema: SledMaintenanceStatus },
  },
  sled_maintenance_preview: {
    method: 'GET',
    path: `${path}/preview`,
    tags,
    summary: 'Preview where the instances of a sled would move for its maintenance',
    permission: { sled: 'read' },
    params,
    transaction: 'snapshot',
    success: { status: 200, schema: SledMaintenancePreview },
  },
  sled_maintenance_begin: {
    method: 'POST',
    path,
    tags,
    summary: 'Begin the maintenance of a sled; its instances move to other sleds',
    permission: { sled: 'modify' },
    params,
    body: SledMaintenanceBegin,
    success: { status: 201, schema: SledMaintenance },
  },
  sled_maintenance_update: {
    method: 'PUT',
    path,
    tags,
    summary: 'Change the reason, the end and the treatment of instances of a maintenance',
    permission: { sled: 'modify' },
    params,
    body: SledMaintenanceUpdate,
    success: { status: 200, schema: SledMaintenance },
  },
  sled_maintenance_pause: {
    method: 'POST',
    path: `${path}/pause`,
    tags,
    summary: 'Pause the maintenance of a sled; moves in progress go on',
    permission: { sled: 'modify' },
    params,
    success: { status: 200, schema: SledMaintenance },
  },
  sled_maintenance_resume: {
    method: 'POST',
    path: `${path}/resume`,
    tags,
    summary: 'Resume the maintenance of a sled',
    permission: { sled: 'modify' },
    params,
    success: { status: 200, schema: SledMaintenance },
  },
  sled_maintenance_end: {
    method: 'DELETE',
    path,
    tags,
    summary: 'End the maintenance of a sled, which takes instances as before',
    permission: { sled: 'modify' },
    params,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
