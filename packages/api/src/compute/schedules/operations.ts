import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, uuid } from '../../schema.ts'
import { searched } from '../../searched.ts'
import { scheduleActions, scheduleRunStates, scheduleStates } from './states.ts'
import {
  CoveringSchedules,
  Schedule,
  ScheduleCreate,
  ScheduleRunDetails,
  ScheduleRunResultsPage,
  ScheduleTargets,
  ScheduleUpdate,
} from './schemas.ts'

const tags = ['extensions']
const params = { schedule: NameOrId }
const query = { project: NameOrId.optional() }
const path = '/x/v1/schedules'

export const scheduleOperations = {
  schedule_search: searched({
    kind: 'Schedule',
    item: Schedule,
    plain: {
      path: '/v1/schedules',
      summary: 'List the schedules of a project',
      permission: { project: 'list' },
      scan: { sort: 'column', modes: [], required: ['project'] },
    },
    columns: [
      'name',
      'natural_name',
      'description',
      'action',
      'state',
      'time_next',
      'last_result',
      'time_created',
    ],
    filters: { action: scheduleActions, state: scheduleStates, last_result: scheduleRunStates },
    selectors: query,
  }),
  schedule_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create a schedule that takes snapshots, or starts or stops instances',
    permission: { project: 'create', instance: 'read', disk: 'read' },
    query: { project: NameOrId },
    body: ScheduleCreate,
    actsLater: 'mandate',
    success: { status: 201, schema: Schedule },
  },
  schedule_view: {
    method: 'GET',
    path: `${path}/{schedule}`,
    tags,
    summary: 'Show a schedule',
    permission: { schedule: 'read' },
    params,
    query,
    success: { status: 200, schema: Schedule },
  },
  schedule_update: {
    method: 'PUT',
    path: `${path}/{schedule}`,
    tags,
    summary: 'Change a schedule, or pause or resume it',
    permission: { schedule: 'modify', instance: 'read', disk: 'read' },
    params,
    query,
    body: ScheduleUpdate,
    actsLater: 'mandate',
    success: { status: 200, schema: Schedule },
  },
  schedule_delete: {
    method: 'DELETE',
    path: `${path}/{schedule}`,
    tags,
    summary: 'Delete a schedule; the snapshots that it made stay',
    permission: { schedule: 'modify' },
    params,
    query,
    success: { status: 204 },
  },
  schedule_run: {
    method: 'POST',
    path: `${path}/{schedule}/run`,
    tags,
    summary: 'Run a schedule now, with the rights of the caller',
    permission: { schedule: 'modify' },
    params,
    query,
    actsLater: 'mandate',
    success: { status: 202, schema: ScheduleRunDetails },
  },
  schedule_target_list: {
    method: 'GET',
    path: `${path}/{schedule}/targets`,
    tags,
    summary: 'List the targets of a schedule',
    permission: { schedule: 'read' },
    params,
    query,
    success: { status: 200, schema: ScheduleTargets },
  },
  schedule_run_list: {
    method: 'GET',
    path: `${path}/{schedule}/runs`,
    tags,
    summary: 'List the latest runs of a schedule',
    permission: { schedule: 'read' },
    params,
    ...paged('time_and_id', query),
    success: { status: 200, schema: ScheduleRunResultsPage },
  },
  schedule_run_view: {
    method: 'GET',
    path: `${path}/{schedule}/runs/{run}`,
    tags,
    summary: 'Show a run of a schedule with its results per target',
    permission: { schedule: 'read' },
    params: { ...params, run: uuid },
    query,
    success: { status: 200, schema: ScheduleRunDetails },
  },
  covering_schedule_list: {
    method: 'GET',
    path: '/x/v1/covering-schedules',
    tags,
    summary: 'List the schedules that cover an instance or a disk',
    permission: { instance: 'read', disk: 'read' },
    query: { instance: uuid.optional(), disk: uuid.optional() },
    success: { status: 200, schema: CoveringSchedules },
  },
} as const satisfies Record<string, Operation>
