import { instanceOperations } from '../../compute/instances/operations.ts'
import { Instance } from '../../compute/instances/schemas.ts'
import { usual } from '../../kinds/usual.ts'
import { Disk, DiskCreate } from '../disks/schemas.ts'
import { storagePoolStates, storagePoolTypes } from './rules.ts'
import {
  DiskMoveCreate,
  DiskStorage,
  PlacedInstanceCreate,
  SiloStoragePool,
  SiloStoragePoolUpdate,
  StoragePool,
  StoragePoolChoices,
  StoragePoolCreate,
  StoragePoolUpdate,
} from './schemas.ts'

export const storagePoolOperations = {
  ...usual('storage_pool', { item: StoragePool, path: '/x/v1/system/storage-pools/{pool}' })({
    storage_pool_search: {
      summary: 'List storage pools',
      columns: ['type', 'state', 'size', 'provisioned'],
      filters: { type: storagePoolTypes, state: storagePoolStates },
    },
    storage_pool_create: {
      summary: 'Add a storage pool; it is checked, and then takes disks',
      body: StoragePoolCreate,
    },
    storage_pool_view: {},
    storage_pool_update: { body: StoragePoolUpdate },
    storage_pool_check: {
      summary: 'Look again whether the server and the hosts reach a storage pool',
    },
    storage_pool_make_default: {
      route: 'POST make-default',
      summary: 'Make a storage pool the one of new disks, unless their silo has a default',
    },
    storage_pool_delete: { summary: 'Remove a storage pool without disks and snapshots' },
  }),
  ...usual('silo', {
    item: SiloStoragePool,
    id: 'silo_storage_pool',
    path: '/x/v1/system/silos/{silo}/storage-pool',
  })({
    silo_storage_pool_view: {
      summary: 'Show the default storage pool of a silo',
      permission: { silo: 'read' },
    },
    silo_storage_pool_update: {
      summary: 'Choose the default storage pool of a silo',
      permission: { silo: 'read', fleet: 'create', storage_pool: 'read' },
      body: SiloStoragePoolUpdate,
    },
  }),
  ...usual('project', { item: Disk })({
    storage_pool_choice_list: {
      route: 'GET /x/v1/projects/{project}/storage-pools',
      summary: 'List the storage pools of which the disks of a project choose one',
      permission: { project: 'list' },
      answer: StoragePoolChoices,
    },
    storage_pool_disk_create: {
      route: 'POST /x/v1/projects/{project}/storage-pools/{pool}/disks',
      summary: 'Create a disk in a storage pool',
      permission: { project: 'create', snapshot: 'read', image: 'read', silo_image: 'read' },
      body: DiskCreate,
      success: { status: 201, schema: Disk },
      changes: ['disk'],
    },
    storage_pool_instance_create: {
      route: 'POST /x/v1/projects/{project}/instances',
      summary: 'Create an instance, with storage pools of its new disks',
      permission: instanceOperations.instance_create.permission,
      body: PlacedInstanceCreate,
      success: { status: 201, schema: Instance },
      changes: ['instance'],
    },
  }),
  ...usual('disk', { item: Disk })({
    disk_storage_view: {
      route: 'GET storage',
      extension: true,
      summary: 'Show the storage pool of a disk, and its move to another one',
      answer: DiskStorage,
    },
    disk_move: {
      extension: true,
      summary: 'Begin to move a disk to another storage pool; its instance may run meanwhile',
      body: DiskMoveCreate,
      answer: DiskStorage,
      // It takes bytes off the disk that is full, if the pool is there.
      evenIfFull: true,
    },
    disk_move_cancel: {
      route: 'POST move/cancel',
      extension: true,
      summary: 'Cancel the move of a disk, which stays where it is',
      answer: DiskStorage,
      evenIfFull: true,
    },
  }),
}
