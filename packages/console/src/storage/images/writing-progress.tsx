import { ProgressBar } from 'react-aria-components/ProgressBar'
import { Pause, Play } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { inByteUnit } from '../../ui/number.ts'
import { Truncate } from '../../ui/text.tsx'
import type { UploadState } from './upload-state.ts'
import type { ImageUpload } from './upload.ts'

const twoDecimals = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** Formats a size with two decimals, so that the text keeps its width while counting. */
function countedSize(bytes: number): string {
  const { amount, unit } = inByteUnit(bytes)
  return `${twoDecimals.format(amount)} ${unit}`
}

/** Formats remaining time: `2 min 5 s left`. */
function timeLeft(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s left`
  const minutes = Math.floor(whole / 60)
  return minutes < 60
    ? `${minutes} min ${whole % 60} s left`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}

function happening({ file }: ImageUpload, state: UploadState): string {
  const { writing, rate, processed, steps, phase, verified } = state
  if (steps.writeFile === 'complete') return verified ? 'SHA-256 verified' : 'Sent'
  if (phase !== 'running') return 'Stopped'
  if (steps.writeFile === 'ready') return 'Starts when the disk is ready'
  if (writing === 'paused') return 'Paused'
  if (writing === 'reconnecting') return 'Connection lost. Trying again…'
  if (writing === 'verifying') return 'Comparing checksums…'
  return rate
    ? `${countedSize(rate)}/s · ${timeLeft((file.size - processed) / rate)}`
    : 'Measuring speed…'
}

/** The status line of the step that writes the file. */
export function WritingProgress({ upload, state }: { upload: ImageUpload; state: UploadState }) {
  const { file } = upload
  const { percent, processed, writing, steps, phase } = state
  const paused = writing === 'paused'
  const pausable = phase === 'running' && steps.writeFile === 'running' && writing !== 'verifying'
  return (
    <div className="mt-2 ms-6.5 flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-x-4">
        <span className="min-w-0 flex-1">
          <Truncate text={file.name} isName />
        </span>
        <span className="text-xs whitespace-nowrap tabular-nums">
          {countedSize(processed)} / {countedSize(file.size)}
        </span>
      </div>
      <div className="flex items-center gap-3">
        <ProgressBar aria-label="Upload progress" value={percent} className="flex-1">
          <span className="block h-1.5 overflow-hidden rounded-full bg-line">
            <span
              className={cx(
                'block h-full origin-left rounded-full',
                steps.writeFile === 'error' ? 'bg-red' : 'bg-accent',
              )}
              style={{ transform: `scaleX(${percent / 100})` }}
            />
          </span>
        </ProgressBar>
        <span className="w-9 text-end text-xs tabular-nums">{percent}%</span>
      </div>
      <div className="flex min-h-7 items-center justify-between gap-3 text-xs">
        <span
          aria-live="polite"
          aria-atomic
          className={cx('tabular-nums', state.verified && 'text-green-text')}
        >
          {happening(upload, state)}
        </span>
        {pausable && (
          <Button
            size="sm"
            icon={
              paused ? (
                <Play size={12} strokeWidth={1.5} aria-hidden />
              ) : (
                <Pause size={12} strokeWidth={1.5} aria-hidden />
              )
            }
            onClick={() => (paused ? upload.resume() : upload.pause())}
          >
            {paused ? 'Resume' : 'Pause'}
          </Button>
        )}
      </div>
    </div>
  )
}
