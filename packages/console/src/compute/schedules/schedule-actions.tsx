import type { Schedule } from '@steading/api/client'
import { scheduleMessages } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { pathTo } from '../../data/addresses.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { useReplacingAction } from '../../workspace/as-code/replacing-action.ts'
import { scheduleArgs, scheduleQuery } from './queries.ts'
import { actionWords } from './labels.ts'

/** The actions on a schedule, in its row and on its page. */
type ScheduleActions = {
  run: MenuAction
  turn: MenuAction
  edit: MenuAction
  remove: MenuAction
}

/** @param onDeleted leaves the page */
export function useScheduleActions(
  project: string,
  onDeleted?: () => Promise<unknown>,
): (schedule: Schedule) => ScheduleActions {
  const navigate = useNavigate()
  const update = useReplacingAction('scheduleUpdate', ({ name, state }: Schedule) => {
    doneToast('Schedule', name, state === 'paused' ? 'paused' : 'resumed')
  })
  const begin = useApiAction('scheduleRun', {
    onSuccess: (_, { path }) => {
      doneToast('Schedule', path.schedule, 'started')
    },
  })
  const remove = useDeleteAction('scheduleDelete', 'schedule', {
    onDeleted,
  })
  return (schedule) => {
    const { name, state, lastRun } = schedule
    const args = scheduleArgs(project, name)
    const paused = state === 'paused'
    const by = (one: Schedule) => one.state
    return {
      run: {
        label: 'Run now',
        calls: 'scheduleRun',
        disabledReason: lastRun?.state === 'running' && scheduleMessages.running(lastRun.number),
        onAction: () =>
          confirmAction({
            title: 'Run schedule now',
            errorTitle: `Could not run ${name}`,
            body: `${actionWords(schedule)}. The run has your rights; its next time stays the same.`,
            ...begin(args),
          }),
      },
      turn: {
        label: paused ? 'Resume' : 'Pause',
        calls: 'scheduleUpdate',
        disabledReason: state === 'ended' && scheduleMessages.ended,
        onAction: () =>
          confirmAction({
            title: paused ? 'Resume schedule' : 'Pause schedule',
            errorTitle: paused ? `Could not resume ${name}` : `Could not pause ${name}`,
            body: paused
              ? 'It runs at its next time, with your rights. Times that have passed meanwhile are not made up for.'
              : 'It runs only on request until it is resumed.',
            ...update(
              { ...args, body: { enabled: paused } },
              { shown: schedule, read: scheduleQuery(project, name), by },
            ),
          }),
      },
      edit: {
        label: 'Edit',
        calls: 'scheduleUpdate',
        onAction: () =>
          void navigate({
            to: pathTo('/projects/$project/schedules/$schedule/edit', {
              project,
              schedule: name,
            }) as '/',
          }),
      },
      remove: remove(name, args, {
        extra: 'Its runs are deleted as well. The snapshots that it made stay.',
      }),
    }
  }
}
