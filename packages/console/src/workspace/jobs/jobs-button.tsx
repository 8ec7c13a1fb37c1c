import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListTodo } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { popup, PopupButton } from '../../ui/popup-button.tsx'
import { isRunning, recentJobsQuery } from './queries.ts'

const jobsPopup = popup('dialog', () =>
  import('./jobs-popup.tsx').then((module) => module.JobsPopup),
)

const LOOKED = 'jobs-looked'
const lastLooked = () => Number(localStorage.getItem(LOOKED) ?? 0)

/**
 * Top bar button with the number of running jobs, and a mark for failures since the list was
 * last opened.
 */
export function JobsButton() {
  const [looked, setLooked] = useState(lastLooked)
  const polled = useLivePolling(3000)
  const { data } = useQuery({
    ...recentJobsQuery,
    refetchInterval: ({ state }) => Boolean(state.data?.items.some(isRunning)) && polled,
  })
  const jobs = data?.items ?? []
  const running = jobs.filter(isRunning).length
  const failed = jobs.some(
    ({ counts, timeFinished }) =>
      counts.failed > 0 && timeFinished && timeFinished.getTime() > looked,
  )
  const onOpenChange = (open: boolean) => {
    // A failure while the list is open counts as seen.
    localStorage.setItem(LOOKED, String(Date.now()))
    if (!open) setLooked(lastLooked())
  }
  const label = ['Jobs', running > 0 && `${running} running`, failed && 'a job has failed']
  return (
    <PopupButton
      popup={jobsPopup}
      content={{ jobs: data?.items }}
      label={label.filter(Boolean).join(', ')}
      tooltip="Jobs"
      className={cx(
        buttonClass('ghost', 'md'),
        'min-w-8 px-2! hover:bg-hover aria-expanded:bg-pressed',
      )}
      onOpenChange={onOpenChange}
    >
      <ListTodo size={16} strokeWidth={1.5} aria-hidden />
      {running > 0 && (
        <span className="flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 text-xs text-on-accent tabular-nums">
          {running}
        </span>
      )}
      {failed && (
        <span className="absolute top-1 end-1 size-2 rounded-full border border-(--surface-page) bg-red" />
      )}
    </PopupButton>
  )
}
