import type { Operation } from '../../operation.ts'
import { NameOrId } from '../../schema.ts'
import { Instance } from '../instances/schemas.ts'
import { InstanceCloneCreate, InstanceCloneView } from './schemas.ts'

const tags = ['extensions']
const params = { instance: NameOrId }
const query = { project: NameOrId.optional() }
const path = '/x/v1/instances/{instance}/clone'

export const instanceCloneOperations = {
  instance_clone: {
    method: 'POST',
    path,
    tags,
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
    params,
    query,
    body: InstanceCloneCreate,
    success: { status: 201, schema: Instance },
  },
  instance_clone_view: {
    method: 'GET',
    path,
    tags,
    summary: 'Show from which instance an instance was cloned, and the progress',
    permission: { instance: 'read' },
    params,
    query,
    success: { status: 200, schema: InstanceCloneView },
  },
} as const satisfies Record<string, Operation>
