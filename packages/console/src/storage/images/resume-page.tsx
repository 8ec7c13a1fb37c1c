import type { Disk } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { apiQuery, usePrefetchedOnce } from '../../data/api.ts'
import { Banner } from '../../ui/banner.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { SideModalForm, type SubmitError } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { Size } from '../../ui/text.tsx'
import { isAbandonedImport } from './abandoned-imports.ts'
import { ImageFields } from './image-fields.tsx'
import { namesOfImport } from './import-args.ts'
import { resumeSteps } from './import-steps.ts'
import { imageNameTaken, projectTransport, useUpload } from './use-upload.ts'
import { isUploading, rememberedUpload } from './upload-memory.ts'
import { UploadProgress } from './upload-progress.tsx'
import { compareWithWritten, fileMismatch } from './upload-resume.ts'
import type { ImageValues } from './upload-state.ts'

type ResumeValues = ImageValues & { imageFile: File | null }

export function ResumeUploadPage() {
  const { project, disk: name } = useParams({
    from: '/shell/projects-crumb/projects/$project/disks/disks/$disk/resume-upload',
  })
  // The upload itself ends the import and deletes the disk.
  const disk = usePrefetchedOnce(
    apiQuery('diskView', { path: { disk: name }, query: { project } }, { allow404: true }),
  )
  const navigate = useNavigate()
  if (isAbandonedImport(disk)) return <ResumeForm project={project} disk={disk} />
  return (
    <ReadOnlySideModal
      title="Resume upload"
      onDismiss={() => void navigate({ to: '/projects/$project/disks', params: { project } })}
    >
      <Banner>Nothing is being uploaded to {disk.name} any longer.</Banner>
    </ReadOnlySideModal>
  )
}

function ResumeForm({ project, disk }: { project: string; disk: Disk }) {
  const navigate = useNavigate()
  const [remembered] = useState(() => rememberedUpload(disk.id))
  const form = useForm<ResumeValues>({
    defaultValues: {
      ...(remembered?.values ?? { name: '', description: '', os: '', version: '' }),
      imageFile: null,
    },
  })
  const [checking, setChecking] = useState(false)
  const [error, setError] = useState<SubmitError | null>(null)
  const { upload, start, close } = useUpload(project)
  const toDisks = () => void navigate({ to: '/projects/$project/disks', params: { project } })
  const toImages = () => void navigate({ to: '/projects/$project/images', params: { project } })

  const names = namesOfImport(disk)

  const submit = async ({ imageFile, ...values }: ResumeValues) => {
    setChecking(true)
    setError(null)
    try {
      if (await isUploading(disk.id)) throw new Error('Another tab is uploading this file.')
      const taken = await imageNameTaken(project, values.name)
      setError(taken)
      if (taken) return
      await compareWithWritten(await projectTransport(project), disk.id, imageFile!)
      const { id, blockSize } = disk
      void start({ file: imageFile!, values, blockSize, resumed: { id, ...names } })
    } catch (failure) {
      setError({ message: failure instanceof Error ? failure.message : String(failure) })
    } finally {
      setChecking(false)
    }
  }

  const { Row, DateRow } = PropertiesTable
  return (
    <>
      <SideModalForm
        form={form}
        formType="create"
        resource="upload"
        title="Resume upload"
        onSubmit={(values) => void submit(values)}
        onDismiss={toDisks}
        loading={checking}
        submitError={error}
        code={({ imageFile: file, ...values }) =>
          asCode(...resumeSteps({ project, names, values, file }, disk))
        }
      >
        <Banner>
          Choose the same file again. Only what has not arrived yet is sent; the rest is compared.
        </Banner>
        {remembered ? (
          <PropertiesTable>
            <Row label="Image">
              <span className="wrap-anywhere">{remembered.values.name}</span>
            </Row>
            <Row label="File">
              <span className="wrap-anywhere">{remembered.fileName}</span>
            </Row>
            <Row label="Size">
              <Size bytes={remembered.fileSize} />
            </Row>
            <DateRow label="File modified" date={new Date(remembered.lastModified)} />
            <DateRow label="Started" date={disk.timeCreated} />
          </PropertiesTable>
        ) : (
          <ImageFields control={form.control} />
        )}
        <FileField
          name="imageFile"
          label="Image file"
          control={form.control}
          validate={(value) => {
            const file = value as File | null
            return file ? fileMismatch(file, disk, remembered) : 'Image file is required'
          }}
        />
      </SideModalForm>
      {upload && (
        <UploadProgress
          upload={upload}
          onClose={() => {
            // The disk is deleted, so the upload cannot be resumed.
            if (close()) toDisks()
          }}
          onDone={toImages}
        />
      )}
    </>
  )
}
