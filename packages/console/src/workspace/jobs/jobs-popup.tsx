import type { Job } from '@steading/api/client'
import { Link } from '@tanstack/react-router'
import { Dialog } from 'react-aria-components/Dialog'
import { TextLink } from '../../ui/link.tsx'
import { MenuFrame } from '../../ui/menu-popup.tsx'
import type { PopupProps } from '../../ui/popup-button.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { JobBadge, ProgressBar } from './job-status.tsx'
import { isRunning } from './queries.ts'
import { jobTitle, resultText } from './job-text.ts'
import { withJob } from './planning.ts'

const SHOWN = 6

/** Recent jobs, each with a link to its dialog. */
export function JobsPopup({ jobs, ...from }: PopupProps & { jobs: Job[] | undefined }) {
  const { onClose } = from
  return (
    <MenuFrame from={from} placement="bottom-end" className="w-88 max-w-[calc(100vw-1rem)]!">
      <Dialog aria-label="Jobs" className="flex flex-col outline-none">
        <div className="flex items-center justify-between px-2 pt-1 pb-2">
          <h2 className="font-medium">Jobs</h2>
          <TextLink to="/jobs" className="text-xs" onClick={onClose}>
            View all
          </TextLink>
        </div>
        {jobs?.length === 0 && (
          <p className="px-2 pt-2 pb-6 text-center text-secondary">
            Actions on several resources at once show up here
          </p>
        )}
        <ul>
          {jobs?.slice(0, SHOWN).map((job) => (
            <li key={job.id}>
              <Link
                to="."
                search={withJob(job.id)}
                onClick={onClose}
                className="focus-inset flex flex-col gap-1.5 rounded-control px-2 py-2 hover:bg-hover"
              >
                <span className="flex items-start justify-between gap-3">
                  <span className="min-w-0 font-medium wrap-anywhere">{jobTitle(job)}</span>
                  <JobBadge job={job} />
                </span>
                {isRunning(job) && <ProgressBar job={job} label={jobTitle(job)} />}
                <span className="flex justify-between gap-3 text-xs text-tertiary">
                  <span className="min-w-0 truncate tabular-nums">{resultText(job)}</span>
                  <span className="shrink-0">
                    <TimeAgo date={job.timeStarted ?? job.timeCreated} caption="Started" ago />
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Dialog>
    </MenuFrame>
  )
}
