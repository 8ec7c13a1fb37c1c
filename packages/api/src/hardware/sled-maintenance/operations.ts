import {
  SledMaintenance,
  SledMaintenanceBegin,
  SledMaintenancePreview,
  SledMaintenanceStatus,
  SledMaintenanceUpdate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const sledMaintenanceOperations = usual('sled', {
  item: SledMaintenance,
  id: 'sled_maintenance',
  path: '/v1/system/hardware/sleds/{sled_id}',
})({
  sled_maintenance_view: {
    route: 'GET maintenance',
    extension: true,
    summary: 'Show the maintenance of a sled',
  },
  sled_maintenance_status: {
    route: 'GET maintenance/status',
    extension: true,
    summary: 'Show whether a sled is in maintenance, and which of its instances have not moved yet',
    transaction: 'snapshot',
    answer: SledMaintenanceStatus,
  },
  sled_maintenance_preview: {
    route: 'GET maintenance/preview',
    extension: true,
    summary: 'Preview where the instances of a sled would move for its maintenance',
    transaction: 'snapshot',
    answer: SledMaintenancePreview,
  },
  sled_maintenance_begin: {
    route: 'POST maintenance',
    extension: true,
    summary: 'Begin the maintenance of a sled; its instances move to other sleds',
    body: SledMaintenanceBegin,
    success: { status: 201, schema: SledMaintenance },
  },
  sled_maintenance_update: {
    route: 'PUT maintenance',
    extension: true,
    summary: 'Change the reason, the end and the treatment of instances of a maintenance',
    body: SledMaintenanceUpdate,
  },
  sled_maintenance_pause: {
    route: 'POST maintenance/pause',
    extension: true,
    summary: 'Pause the maintenance of a sled; moves in progress go on',
    success: { status: 200, schema: SledMaintenance },
  },
  sled_maintenance_resume: {
    route: 'POST maintenance/resume',
    extension: true,
    summary: 'Resume the maintenance of a sled',
    success: { status: 200, schema: SledMaintenance },
  },
  sled_maintenance_end: {
    route: 'DELETE maintenance',
    extension: true,
    summary: 'End the maintenance of a sled, which takes instances as before',
  },
})
