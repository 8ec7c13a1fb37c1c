import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { pick } from '../../../kernel/pick.ts'
import { toWireProgress } from './progress.ts'

/** Moves with the names of their instances and sleds. */
export const moves = (db: Db) =>
  db
    .selectFrom('instance_move as its')
    .innerJoin('instance', 'instance.id', 'its.instance_id')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .innerJoin('sled as origin', 'origin.id', 'its.from_sled_id')
    .innerJoin('sled as destination', 'destination.id', 'its.to_sled_id')
    .select(['its.id', 'its.instance_id', 'its.from_sled_id', 'its.to_sled_id', 'its.cause'])
    .select([
      'its.state',
      'its.reason',
      'its.cancelled_by',
      'its.user_name',
      'its.time_started',
      'its.time_finished',
    ])
    .select(['its.bytes_total', 'its.bytes_processed', 'its.bytes_remaining'])
    .select([
      'its.bytes_per_second',
      'instance.name as instance_name',
      'project.name as project_name',
    ])
    .select(['silo.name as silo_name', 'origin.name as from_serial'])
    .select('destination.name as to_serial')

type Found = Awaited<ReturnType<ReturnType<typeof moves>['execute']>>[number]

export const toWireMove = (row: Found): Wire.InstanceMove => ({
  ...pick(row, 'id', 'instance_id', 'instance_name', 'project_name', 'silo_name'),
  from: { id: row.from_sled_id, serial: row.from_serial },
  to: { id: row.to_sled_id, serial: row.to_serial },
  progress: row.state === 'moving' ? toWireProgress(row) : null,
  ...pick(
    row,
    'cause',
    'state',
    'reason',
    'cancelled_by',
    'user_name',
    'time_started',
    'time_finished',
  ),
})
