import { Instance } from '../instances/schemas.ts'
import { InstanceCloneCreate, InstanceCloneView } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const instanceCloneOperations = usual('instance', { item: Instance })({
  instance_clone: {
    extension: true,
    summary: 'Create an instance like another one, with copies of its disks',
    permission: {
      instance: 'read',
      disk: 'read',
      project: 'create',
      snapshot: 'read',
      image: 'read',
      silo_image: 'read',
      floating_ip: 'modify',
      anti_affinity_group: 'modify',
      affinity_group: 'modify',
      multicast_group: 'read',
      vpc_subnet: 'read',
    },
    body: InstanceCloneCreate,
    success: { status: 201, schema: Instance },
    changes: ['disk', 'snapshot', 'multicast_group'],
  },
  instance_clone_view: {
    route: 'GET clone',
    extension: true,
    summary: 'Show from which instance an instance was cloned, and the progress',
    answer: InstanceCloneView,
  },
})
