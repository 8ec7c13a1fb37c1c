import { uuid } from '../../schema.ts'
import { scheduleActions, scheduleRunStates, scheduleStates } from './states.ts'
import {
  CoveringSchedules,
  Schedule,
  ScheduleCreate,
  ScheduleRun,
  ScheduleRunDetails,
  ScheduleTargets,
  ScheduleUpdate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const scheduleOperations = {
  ...usual('schedule', { item: Schedule, path: '/x/v1/schedules/{schedule}' })({
    schedule_search: {
      columns: ['action', 'state', 'time_next', 'last_result'],
      filters: { action: scheduleActions, state: scheduleStates, last_result: scheduleRunStates },
    },
    schedule_create: {
      summary: 'Create a schedule that takes snapshots, or starts or stops instances',
      permission: { project: 'create', instance: 'read', disk: 'read' },
      body: ScheduleCreate,
      actsLater: 'mandate',
    },
    schedule_view: {},
    schedule_update: {
      summary: 'Change a schedule, or pause or resume it',
      permission: { schedule: 'modify', instance: 'read', disk: 'read' },
      body: ScheduleUpdate,
      actsLater: 'mandate',
    },
    schedule_delete: { summary: 'Delete a schedule; the snapshots that it made stay' },
    schedule_run: {
      summary: 'Run a schedule now, with the rights of the caller',
      actsLater: 'mandate',
      answer: ScheduleRunDetails,
    },
    schedule_target_list: {
      route: 'GET targets',
      summary: 'List the targets of a schedule',
      answer: ScheduleTargets,
    },
    schedule_run_list: {
      route: 'GET runs',
      summary: 'List the latest runs of a schedule',
      pages: ScheduleRun,
      sort: 'time_and_id',
    },
    schedule_run_view: {
      route: 'GET runs/{run}',
      summary: 'Show a run of a schedule with its results per target',
      params: { run: uuid },
      answer: ScheduleRunDetails,
    },
    covering_schedule_list: {
      route: 'GET /x/v1/covering-schedules',
      summary: 'List the schedules that cover an instance or a disk',
      permission: { instance: 'read', disk: 'read' },
      query: { instance: uuid.optional(), disk: uuid.optional() },
      answer: CoveringSchedules,
    },
  }),
}
