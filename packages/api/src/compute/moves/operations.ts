import { NameOrId } from '../../schema.ts'
import {
  InstanceDestinations,
  InstanceMove,
  InstanceMoveCreate,
  InstanceSledView,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/**
 * Operators move instances of every silo, but do not read their projects. So the instance is found
 * on its sled, as in the list of its instances.
 */
export const moveOperations = usual('sled', { path: '/x/v1/system/hardware/sleds/{sled_id}' })({
  instance_destination_list: {
    route: 'GET instances/{instance_id}/destinations',
    summary: 'List the sleds that an instance can move to, and why others cannot take it',
    transaction: 'snapshot',
    answer: InstanceDestinations,
  },
  instance_move: {
    route: 'POST instances/{instance_id}/move',
    summary: 'Begin to move a running instance to another sled',
    permission: { fleet: 'create', sled: 'read' },
    body: InstanceMoveCreate,
    answer: InstanceMove,
    changes: ['instance'],
  },
  instance_move_cancel: {
    route: 'POST instances/{instance_id}/move/cancel',
    summary: 'Cancel the move of an instance, which stays on its sled unless it has arrived',
    permission: { fleet: 'create', sled: 'read' },
    answer: InstanceMove,
    changes: ['instance'],
  },
  instance_move_list: {
    route: 'GET moves',
    summary: 'List the moves of instances to and from a sled',
    pages: InstanceMove,
    sort: 'time_and_id',
  },
  instance_sled_view: {
    route: 'GET /x/v1/instances/{instance}/sled',
    summary: 'Show the sled of an instance and its newest move, to those who may read sleds',
    permission: { instance: 'read' },
    query: { project: NameOrId.optional() },
    answer: InstanceSledView,
  },
})
