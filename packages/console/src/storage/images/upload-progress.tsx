import { useSyncExternalStore, type ReactNode } from 'react'
import { Check, Circle, X } from 'lucide-react'
import { cx } from '../../ui/cx.ts'
import { Banner } from '../../ui/banner.tsx'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { stepLabels, uploadSteps, type StepStatus, type UploadState } from './upload-state.ts'
import type { ImageUpload } from './upload.ts'
import { WritingProgress } from './writing-progress.tsx'

type Props = {
  upload: ImageUpload
  /** Called by Cancel, Back, Escape, the scrim and X. */
  onClose: () => void
  onDone: () => void
}

/** The modal "Image upload progress". */
export function UploadProgress({ upload, onClose, onDone }: Props) {
  const state = useSyncExternalStore(upload.subscribe, upload.getState)
  const { steps, phase, error } = state
  const running = uploadSteps.find((step) => steps[step] === 'running')
  return (
    <Modal
      title="Image upload progress"
      height="high"
      onDismiss={onClose}
      footer={
        <ModalFooter
          onDismiss={onClose}
          cancelText={phase === 'running' ? 'Cancel' : 'Back'}
          actionText="Done"
          disabled={phase !== 'done'}
          onAction={onDone}
        />
      }
    >
      <div className="flex flex-col gap-4 pt-1">
        <Outcome phase={phase} error={error} />
        <ol className="flex flex-col overflow-hidden rounded-card border bg-raised">
          {uploadSteps.map((step) => (
            <li
              key={step}
              data-testid={`upload-step: ${stepLabels[step]}`}
              data-status={steps[step]}
              className="upload-step border-b px-3 py-2.5 last:border-b-0"
            >
              <div className="flex items-center gap-2.5">
                <span className="flex w-4 shrink-0 justify-center">{marks[steps[step]]}</span>
                <span
                  className={cx(
                    steps[step] === 'ready' ? 'text-tertiary' : 'text-primary',
                    steps[step] === 'running' && 'font-medium',
                  )}
                >
                  {stepLabels[step]}
                </span>
              </div>
              {step === 'finalize' && state.converted !== undefined && (
                <p className="mt-1 ms-6.5 text-xs tabular-nums">
                  Image converted: {state.converted}%
                </p>
              )}
              {step === 'writeFile' && <WritingProgress upload={upload} state={state} />}
            </li>
          ))}
        </ol>
        <span className="sr-only" aria-live="polite">
          {phase === 'done' ? stepLabels.done : running && stepLabels[running]}
        </span>
      </div>
    </Modal>
  )
}

/** The outcome or advice, in a place reserved from the start. */
function Outcome({ phase, error }: Pick<UploadState, 'phase' | 'error'>) {
  const place = 'min-h-[3.875rem]'
  if (error) {
    return (
      <Banner variant="error" title="Error" className={place}>
        {error}
      </Banner>
    )
  }
  return phase === 'done' ? (
    <Banner variant="success" title="The image is ready" className={place}>
      Its temporary disk and snapshot were deleted.
    </Banner>
  ) : (
    <Banner title="Keep this page open" className={place}>
      Leaving it stops the upload.
    </Banner>
  )
}

const icon = { size: 16, strokeWidth: 1.5 } as const

const marks: Record<StepStatus, ReactNode> = {
  ready: <Circle {...icon} size={12} aria-hidden className="text-tertiary" />,
  running: <Spinner className="text-amber-text" />,
  complete: <Check {...icon} aria-label="Complete" className="text-green-text" />,
  error: <X {...icon} aria-label="Failed" className="text-red-text" />,
}
