import type { Wire } from '@steading/api'
import {
  MAINTENANCE_INSTANCES_SHOWN,
  type MaintenanceInstanceState,
  type MaintenanceState,
} from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { pick } from '../../../kernel/pick.ts'
import { toWireProgress as toWireMoveProgress } from '../../compute/moves/progress.ts'
import type { SledMaintenanceTable } from './table.ts'

export type MaintenanceRow = Selectable<SledMaintenanceTable>

/** The instances on a sled in maintenance, by name. */
const instancesOf = (db: Db, row: MaintenanceRow) =>
  db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .leftJoin('sled', 'sled.id', 'instance.destination_sled_id')
    .leftJoin('instance_move as move', 'move.id', 'instance.migration_id')
    .leftJoin('sled_maintenance_instance as its', (join) =>
      join
        .onRef('its.instance_id', '=', 'instance.id')
        .on('its.maintenance_id', '=', row.id)
        .on('its.state', '=', 'impossible'),
    )
    .select(['instance.id', 'instance.name', 'instance.run_state', 'its.reason'])
    .select(['project.name as project_name', 'silo.name as silo_name'])
    .select(['sled.name as destination', 'move.bytes_total', 'move.bytes_processed'])
    .select(['move.bytes_remaining', 'move.bytes_per_second'])
    .where('instance.sled_id', '=', row.sled_id)
    .orderBy('instance.name')
    .orderBy('instance.id')

type Found = Awaited<ReturnType<ReturnType<typeof instancesOf>['execute']>>[number]

function stateOf({ run_state, destination, reason }: Found): MaintenanceInstanceState {
  if (run_state === 'stopping') return 'stopping'
  if (destination !== null) return 'moving'
  return run_state === 'running' && reason !== null ? 'impossible' : 'waiting'
}

const order: Record<MaintenanceInstanceState, number> = {
  impossible: 0,
  moving: 1,
  stopping: 2,
  waiting: 3,
}

async function countMoved(db: Db, { id }: MaintenanceRow): Promise<number> {
  const { count } = await db
    .selectFrom('instance_move')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('maintenance_id', '=', id)
    .where('state', '=', 'moved')
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function countStopped(db: Db, { id, sled_id }: MaintenanceRow): Promise<number> {
  const { count } = await db
    .selectFrom('sled_maintenance_instance as its')
    .innerJoin('instance', 'instance.id', 'its.instance_id')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('its.maintenance_id', '=', id)
    .where('its.state', '=', 'stopped')
    .where((eb) =>
      eb.or([eb('instance.sled_id', 'is', null), eb('instance.sled_id', '!=', sled_id)]),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const toWireMaintenance = (row: MaintenanceRow): Wire.SledMaintenance => ({
  ...pick(row, 'id', 'sled_id', 'reason', 'time_end', 'unmovable'),
  paused: row.paused === 1,
  time_begun: row.time_begun,
  user_name: row.user_name,
})

export async function toWireProgress(
  db: Db,
  row: MaintenanceRow,
): Promise<Wire.SledMaintenanceProgress> {
  const instances = (await instancesOf(db, row).execute()).map((found) => {
    const state = stateOf(found)
    return {
      ...pick(found, 'id', 'name', 'silo_name', 'project_name', 'run_state'),
      state,
      destination: state === 'moving' ? found.destination : null,
      progress: state === 'moving' ? toWireMoveProgress(found) : null,
      reason: state === 'impossible' ? found.reason : null,
    }
  })
  const count = (state: MaintenanceInstanceState) =>
    instances.filter((instance) => instance.state === state).length
  const impossible = count('impossible')
  const state = (): MaintenanceState => {
    if (instances.length === 0) return 'ready'
    if (row.paused === 1) return 'paused'
    return impossible === instances.length ? 'blocked' : 'moving'
  }
  return {
    state: state(),
    moved: await countMoved(db, row),
    stopped: await countStopped(db, row),
    moving: count('moving'),
    waiting: count('waiting') + count('stopping'),
    impossible,
    instances: instances
      .toSorted((a, b) => order[a.state] - order[b.state])
      .slice(0, MAINTENANCE_INSTANCES_SHOWN),
  }
}
