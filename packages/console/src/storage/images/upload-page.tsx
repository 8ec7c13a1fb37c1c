import { blockSizes } from '@steading/api/rules'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useImageFormats } from '../../data/capabilities.ts'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { SideModalForm, type SubmitError } from '../../ui/form/side-modal-form.tsx'
import { recogniseFile } from './file-hints.ts'
import { FileHintsInfo, ImageInfo } from './file-hints-info.tsx'
import { ImageFields } from './image-fields.tsx'
import { temporaryNames } from './import-args.ts'
import { importSteps } from './import-steps.ts'
import { imageNameTaken, useUpload } from './use-upload.ts'
import { UploadProgress } from './upload-progress.tsx'
import type { ImageValues } from './upload-state.ts'
import type { BlockSize } from './upload-transport.ts'

type UploadValues = ImageValues & { blockSize: string; imageFile: File | null }

const defaultValues: UploadValues = {
  name: '',
  description: '',
  os: '',
  version: '',
  blockSize: '512',
  imageFile: null,
}

export function UploadPage() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const toList = () => void navigate({ to: '/projects/$project/images', params: { project } })
  const form = useForm({ defaultValues })
  const { control, trigger, getValues } = form
  const [file, blockSize] = useWatch({ control, name: ['imageFile', 'blockSize'] })
  const formats = useImageFormats()
  const image = useQuery({
    // A file has no key of its own.
    queryKey: ['imageFile', file?.name, file?.size, file?.lastModified, formats],
    queryFn: () => recogniseFile(file!, formats),
    enabled: file !== null,
  }).data
  const found = image?.problem === undefined ? image : undefined
  const diskSize = found?.size
  const [checking, setChecking] = useState(false)
  const [names, setNames] = useState(temporaryNames)
  const [error, setError] = useState<SubmitError | null>(null)
  const { upload, start, cleaning, close } = useUpload(project)

  // A file of a wrong size is reported at once; other fields are validated on submit.
  useEffect(() => {
    if (file) void trigger('imageFile')
  }, [file, trigger])

  const submit = async ({ imageFile, blockSize, ...values }: UploadValues) => {
    setChecking(true)
    setError(null)
    try {
      const taken = await imageNameTaken(project, values.name)
      setError(taken)
      if (taken) return
      void start({
        file: imageFile!,
        values,
        names,
        blockSize: Number(blockSize) as BlockSize,
        diskSize,
      })
      // The next attempt uses new names: resources created by this one may remain.
      setNames(temporaryNames())
    } catch (failure) {
      setError({ message: failure instanceof Error ? failure.message : String(failure) })
    } finally {
      setChecking(false)
    }
  }

  return (
    <>
      <SideModalForm
        form={form}
        formType="create"
        resource="image"
        title="Upload image"
        onSubmit={(values) => void submit(values)}
        onDismiss={toList}
        loading={checking || cleaning}
        submitError={error}
        code={({ imageFile, blockSize, ...values }) =>
          asCode(
            ...importSteps({
              project,
              names,
              values,
              file: imageFile,
              blockSize: Number(blockSize) as BlockSize,
              diskSize,
            }),
          )
        }
      >
        <ImageFields control={control} />
        <RadioField
          name="blockSize"
          label="Block size"
          units="Bytes"
          control={control}
          items={blockSizes.map((size) => ({ value: String(size), label: String(size) }))}
        />
        <FileField
          name="imageFile"
          label="Image file"
          control={control}
          validate={async (value) => {
            const chosen = value as File | null
            const problem = fileProblem(chosen, Number(getValues('blockSize')))
            return problem ?? (await recogniseFile(chosen!, formats)).problem
          }}
        />
        {found?.format && <ImageInfo {...found} />}
        {file && found?.format === undefined && (
          <FileHintsInfo file={file} blockSize={Number(blockSize)} />
        )}
      </SideModalForm>
      {upload && <UploadProgress upload={upload} onClose={close} onDone={toList} />}
    </>
  )
}

function fileProblem(file: File | null, blockSize: number): string | undefined {
  if (!file) return 'Image file is required'
  if (file.size === 0) return 'The file is empty'
  return file.size % blockSize === 0
    ? undefined
    : `File size must be a multiple of the block size (${blockSize} bytes)`
}
