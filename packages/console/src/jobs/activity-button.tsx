import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { ListTodo } from 'lucide-react'
import { useLivePolling } from '../data/live.ts'
import { buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { MenuPopover } from '../ui/menu.tsx'
import { tooltip } from '../ui/tooltip.tsx'
import { recentJobsQuery } from './queries.ts'

const ActivityList = lazy(() =>
  import('./activity-list.tsx').then((m) => ({ default: m.ActivityList })),
)

const LOOKED = 'activity-looked'
const lastLooked = () => Number(localStorage.getItem(LOOKED) ?? 0)

/** In the top bar: how many jobs run, and whether one has failed since this was last looked at. */
export function ActivityButton() {
  const polled = useLivePolling(3000)
  const { data } = useQuery({
    ...recentJobsQuery,
    refetchInterval: ({ state }) =>
      Boolean(state.data?.items.some((job) => job.state === 'running')) && polled,
  })
  const [looked, setLooked] = useState(lastLooked)
  const jobs = data?.items ?? []
  const running = jobs.filter(({ state }) => state === 'running').length
  const failed = jobs.some(
    ({ counts, timeFinished }) =>
      counts.failed > 0 && timeFinished && timeFinished.getTime() > looked,
  )
  const onOpenChange = (open: boolean) => {
    // What has failed is seen in the popover; what fails while it is open, too.
    localStorage.setItem(LOOKED, String(Date.now()))
    if (!open) setLooked(lastLooked())
  }
  const label = ['Activity', running > 0 && `${running} running`, failed && 'a job has failed']
  return (
    <DialogTrigger onOpenChange={onOpenChange}>
      <AriaButton
        aria-label={label.filter(Boolean).join(', ')}
        className={cx(
          buttonClass('ghost', 'md'),
          'min-w-8 px-2! hover:bg-hover aria-expanded:bg-pressed',
        )}
        render={(props) => <button {...props} {...tooltip('Activity')} />}
      >
        <ListTodo size={16} strokeWidth={1.5} aria-hidden />
        {running > 0 && (
          <span className="flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 text-[11px] text-on-accent tabular-nums">
            {running}
          </span>
        )}
        {failed && (
          <span className="absolute top-1 right-1 size-2 rounded-full border border-(--surface-page) bg-red" />
        )}
      </AriaButton>
      <MenuPopover placement="bottom end" className="z-[100]! w-88 max-w-[calc(100vw-1rem)]!">
        <Dialog aria-label="Activity" className="outline-none">
          {({ close }) => (
            <Suspense fallback={<div className="h-40" />}>
              <ActivityList jobs={data?.items} onClose={close} />
            </Suspense>
          )}
        </Dialog>
      </MenuPopover>
    </DialogTrigger>
  )
}
