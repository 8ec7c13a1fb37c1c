import type { Overview, OverviewChange } from '@steading/api/client'
import { counted, type OverviewScope } from '@steading/api/rules'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { cx } from '../../ui/cx.ts'
import { TextLink } from '../../ui/link.tsx'
import { StateShape } from '../../ui/state-badge.tsx'
import { formatTime, TimeAgo } from '../../ui/time.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { nameOfUser, reasonOf } from '../../workspace/history/entries.tsx'
import { Section } from './section.tsx'

type Shown = NonNullable<Overview['timeline']>

type TimelineProps = {
  timeline: Shown
  scope: OverviewScope
  /** Other content is beside it on wide screens; its list then ends there, and scrolls. */
  isBeside: boolean
}

/** Page with all changes, for those who may read it. */
function useLog(scope: OverviewScope) {
  const { siloAdmin } = useCurrentUser()
  const supported = useCapability('auditLog')
  if (!supported || scope === 'project') return undefined
  if (scope === 'fleet') return '/system/audit-log' as const
  return siloAdmin ? ('/audit-log' as const) : undefined
}

/** Changes of the last day: by hour, and the newest with their users. */
export function Timeline({ timeline: { hours, changes }, scope, isBeside }: TimelineProps) {
  const all = hours.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0)
  const log = useLog(scope)
  return (
    <div className={cx(isBeside && 'min-[1200px]:relative min-[1200px]:min-h-96')}>
      <Section
        title="Last day"
        aside={
          <span className="flex items-baseline gap-3 text-tertiary tabular-nums">
            {counted(all, 'change')}
            {log && <TextLink to={log}>Show all</TextLink>}
          </span>
        }
        className={cx(
          isBeside &&
            'min-[1200px]:absolute min-[1200px]:inset-0 min-[1200px]:flex min-[1200px]:flex-col',
        )}
      >
        <Hours hours={hours} all={all} />
        {changes.length === 0 ? (
          <p className="border-t pt-3 text-secondary">Nobody changed anything in the last day.</p>
        ) : (
          <div
            role="group"
            aria-label="Newest changes"
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
            tabIndex={isBeside ? 0 : undefined}
            className={cx(
              'border-t',
              isBeside && 'focus-inset min-[1200px]:min-h-0 min-[1200px]:overflow-y-auto',
            )}
          >
            <ol className="divide-y divide-line">
              {changes.map((change) => (
                <Change key={change.id} change={change} />
              ))}
            </ol>
          </div>
        )}
      </Section>
    </div>
  )
}

function Hours({ hours, all }: { hours: Shown['hours']; all: number }) {
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed))
  const failures = hours.reduce((sum, { failed }) => sum + failed, 0)
  return (
    <figure
      className="pb-3"
      role="img"
      aria-label={`${counted(all, 'change')} in the last day, ${failures} of them refused or failed`}
    >
      <div className="flex h-14 items-end gap-[3px]">
        {hours.map(({ timeBegun, succeeded, failed }) => (
          <div
            key={timeBegun.getTime()}
            className="flex h-full flex-1 flex-col justify-end"
            {...tooltip(
              `${formatTime(timeBegun)}: ${counted(succeeded + failed, 'change')}${failed ? `, ${failed} refused or failed` : ''}`,
            )}
          >
            <div
              className="rounded-t-sm bg-red forced-colors:bg-[Highlight]"
              style={{ height: `${(failed / most) * 100}%` }}
            />
            <div
              className="min-h-0.5 rounded-t-sm bg-accent-border first:rounded-t-sm forced-colors:bg-[CanvasText]"
              style={{ height: `${(succeeded / most) * 100}%` }}
            />
          </div>
        ))}
      </div>
      <div aria-hidden className="mt-1.5 flex justify-between text-xs text-tertiary tabular-nums">
        <span>{hours[0] && formatTime(hours[0].timeBegun)}</span>
        <span>now</span>
      </div>
    </figure>
  )
}

/** A sentence with the name of its target in bold. */
function Sentence({ text, name }: { text: string; name: string | undefined }) {
  const at = name ? text.lastIndexOf(` ${name}`) : -1
  if (at === -1) return text
  const end = at + 1 + name!.length
  return (
    <>
      {text.slice(0, at + 1)}
      <b className="font-medium">{text.slice(at + 1, end)}</b>
      {text.slice(end)}
    </>
  )
}

function Change({ change }: { change: OverviewChange }) {
  const { sentence, target, result, timeCompleted } = change
  const user = nameOfUser(change)
  const reason = reasonOf(result)
  return (
    <li className="flex gap-3 py-2.5">
      {reason ? (
        <span className="flex size-7 shrink-0 items-center justify-center">
          <StateShape tone="failed" />
        </span>
      ) : (
        <Avatar name={user} />
      )}
      <div className="min-w-0 flex-1">
        <div className="wrap-anywhere">
          <b className="font-medium">{user}</b> <Sentence text={sentence} name={target?.name} />
        </div>
        {reason && <div className="text-tertiary wrap-anywhere">{reason}</div>}
      </div>
      <TimeAgo date={timeCompleted} caption="Done" className="text-tertiary" />
    </li>
  )
}
