import { UPDATE_REPOSITORY_MAX } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { invalidate } from '../../data/api.ts'
import { currentCapabilities } from '../../data/capabilities.ts'
import { uploadErrorMessage } from '../../storage/images/upload-errors.ts'
import { FileField } from '../../ui/form/file-field.tsx'
import { SideModalForm, type SubmitError } from '../../ui/form/side-modal-form.tsx'
import { Size } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { uploadAtOnce, uploadInPieces } from './upload-release.ts'

type Values = { file: File | null }

function fileProblem(file: File | null): string | undefined {
  if (!file) return 'Repository is required'
  if (file.size === 0) return 'The file is empty'
  return file.size > UPDATE_REPOSITORY_MAX ? 'The file is larger than 4 GiB' : undefined
}

/** Upload progress; complete while the repository is verified. */
function Sent({ sent, size }: { sent: number; size: number }) {
  const percent = Math.floor((100 * sent) / size)
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="text-secondary" role="status">
          {sent === size ? 'Verifying the repository' : 'Uploading'}
        </span>
        <span className="tabular-nums">
          <Size bytes={sent} /> of <Size bytes={size} />
        </span>
      </div>
      <div
        role="progressbar"
        aria-label="Upload"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 w-full overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-accent-solid" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}

export function UploadForm() {
  const navigate = useNavigate()
  const form = useForm<Values>({ defaultValues: { file: null } })
  const [sent, setSent] = useState<{ sent: number; size: number }>()
  const [error, setError] = useState<SubmitError | null>(null)
  const aborting = useRef<AbortController>(undefined)
  // Uploaded data stays, so that the upload can be resumed.
  useEffect(() => () => aborting.current?.abort(), [])
  const close = () => {
    void invalidate('updateUploadList')
    void navigate({ to: '/system/update' })
  }

  const submit = async ({ file }: Values) => {
    if (!file) return
    const controller = new AbortController()
    aborting.current = controller
    setError(null)
    setSent({ sent: 0, size: file.size })
    try {
      const { updates } = await currentCapabilities()
      if (updates) {
        const tell = (bytes: number) => setSent({ sent: bytes, size: file.size })
        const { repo, status } = await uploadInPieces(file, tell, controller.signal)
        addToast(
          status === 'inserted'
            ? `Release ${repo.systemVersion} uploaded`
            : `Release ${repo.systemVersion} had already been uploaded`,
        )
      } else {
        await uploadAtOnce(file, controller.signal)
        addToast('Release uploaded')
      }
      await invalidate('systemUpdateRepositoryList')
      form.reset()
      close()
    } catch (failure) {
      if (!controller.signal.aborted) setError({ message: uploadErrorMessage(failure) })
    } finally {
      setSent(undefined)
      void invalidate('updateUploadList')
    }
  }

  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="release"
      title="Upload release"
      calls="systemUpdateRepositoryUpload"
      onSubmit={(values) => void submit(values)}
      onDismiss={close}
      loading={sent !== undefined}
      submitError={error}
    >
      <p className="text-secondary">
        The repository of a release is a zip archive, signed for one of the trust roots. It is
        verified before it can become the target. An upload that is interrupted goes on when the
        same file is chosen again.
      </p>
      <FileField
        name="file"
        label="Repository"
        accept=".zip"
        control={form.control}
        disabled={sent !== undefined}
        validate={(value) => fileProblem(value as File | null)}
      />
      {sent && <Sent {...sent} />}
    </SideModalForm>
  )
}
