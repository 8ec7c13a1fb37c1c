import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, uuid } from '../../schema.ts'
import {
  InstanceDestinations,
  InstanceMove,
  InstanceMoveCreate,
  InstanceMoveResultsPage,
  InstanceSledView,
} from './schemas.ts'

const tags = ['extensions']
const sled = '/x/v1/system/hardware/sleds/{sled_id}'
const params = { sled_id: uuid, instance_id: uuid }

/**
 * Operators move instances of every silo, but do not read their projects. So the instance is found
 * on its sled, as in the list of its instances.
 */
export const moveOperations = {
  instance_destination_list: {
    method: 'GET',
    path: `${sled}/instances/{instance_id}/destinations`,
    tags,
    summary: 'List the sleds that an instance can move to, and why others cannot take it',
    permission: { sled: 'read' },
    params,
    transaction: 'snapshot',
    success: { status: 200, schema: InstanceDestinations },
  },
  instance_move: {
    method: 'POST',
    path: `${sled}/instances/{instance_id}/move`,
    tags,
    summary: 'Begin to move a running instance to another sled',
    permission: { fleet: 'create', sled: 'read' },
    params,
    body: InstanceMoveCreate,
    success: { status: 202, schema: InstanceMove },
  },
  instance_move_list: {
    method: 'GET',
    path: `${sled}/moves`,
    tags,
    summary: 'List the moves of instances to and from a sled',
    permission: { sled: 'read' },
    params: { sled_id: uuid },
    ...paged('time_and_id'),
    success: { status: 200, schema: InstanceMoveResultsPage },
  },
  instance_sled_view: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/sled',
    tags,
    summary: 'Show the sled of an instance and its newest move, to those who may read sleds',
    permission: { instance: 'read' },
    params: { instance: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: InstanceSledView },
  },
} as const satisfies Record<string, Operation>
