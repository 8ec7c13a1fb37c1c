import type { InstanceMoveProgress } from '@steading/api/client'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { formatSize } from '../../ui/number.ts'

/** What has been copied; what the guest writes meanwhile is copied again. */
const share = ({ bytesTotal, bytesRemaining }: InstanceMoveProgress): number =>
  bytesTotal === 0 ? 0 : Math.round((1 - bytesRemaining / bytesTotal) * 100)

/** How far the move of an instance is: a bar, the bytes that are left, and the rate. */
export function MoveProgress({ of, name }: { of: InstanceMoveProgress; name: string }) {
  const percent = Math.min(100, Math.max(0, share(of)))
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <ProgressBar
        aria-label={`Move of ${name}`}
        value={percent}
        className="max-w-60 min-w-24 flex-1"
      >
        <span className="block h-1.5 overflow-hidden rounded-full bg-line">
          <span
            className="block h-full origin-left rounded-full bg-accent"
            style={{ transform: `scaleX(${percent / 100})` }}
          />
        </span>
      </ProgressBar>
      <span className="text-xs whitespace-nowrap tabular-nums">
        {`${formatSize(of.bytesRemaining)} left`}
        {of.bytesPerSecond > 0 && ` · ${formatSize(of.bytesPerSecond)}/s`}
      </span>
    </span>
  )
}
