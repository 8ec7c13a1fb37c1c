import type { WellKnownImage } from '@steading/api/client'
import {
  asSentence,
  blockSizes,
  imageDownloadMessages,
  type ImageFormat,
  type RecognisedFile,
  recogniseFile,
} from '@steading/api/rules'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { apiQuery, call } from '../../data/api.ts'
import { useCapability, useEngine, useImageFormats } from '../../data/capabilities.ts'
import { asCode, useApiForm } from '../../workspace/as-code/as-code.tsx'
import { CheckboxField, RadioField } from '../../ui/form/choice-fields.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { SideModalForm, type SubmitError } from '../../ui/form/side-modal-form.tsx'
import {
  blankFile,
  downloadArgs,
  type DownloadValues,
  fileValues,
  nameFrom,
  valuesOfDownload,
} from '../image-downloads/download-values.ts'
import { FileFields } from '../image-downloads/file-fields.tsx'
import { KnownImageField } from '../image-downloads/known-image-field.tsx'
import { readingFrom } from './file-hints.ts'
import { FileHintsInfo, ImageInfo } from './file-hints-info.tsx'
import { ImageFields } from './image-fields.tsx'
import { temporaryNames } from './import-args.ts'
import { importSteps } from './import-steps.ts'
import { imageNameTaken, useUpload } from './use-upload.ts'
import { UploadProgress } from './upload-progress.tsx'
import type { ImageValues } from './upload-state.ts'
import type { BlockSize } from './upload-transport.ts'

type Source = 'file' | 'url' | 'known'

type UploadValues = DownloadValues & {
  source: Source
  blockSize: string
  imageFile: File | null
  /** Name of the well-known image. */
  known: string
}

const defaultValues: UploadValues = {
  name: '',
  description: '',
  os: '',
  version: '',
  source: 'file',
  blockSize: '512',
  imageFile: null,
  known: '',
  forSilo: false,
  rawDisk: false,
  ...blankFile,
}

const imageValues = ({ name, description, os, version }: ImageValues): ImageValues => ({
  name,
  description,
  os,
  version,
})

const UPLOAD = '/shell/projects-crumb/projects/$project/images/images-new'

const remoteSources: { value: Source; label: string }[] = [
  { value: 'url', label: 'URL' },
  { value: 'known', label: 'Well-known image' },
]

/** Removes a download that an edited one replaces. */
const discardDownload = (id: string) =>
  call('imageDownloadDelete', { path: { imageDownload: id } }, { expected: [400, 404, 409] }).catch(
    () => {
      // It stays in the list, where it can be dismissed.
    },
  )

export function UploadPage() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const toList = () => void navigate({ to: '/projects/$project/images', params: { project } })
  const { download: editedId } = useSearch({ from: UPLOAD })
  const edited = useQuery({
    ...apiQuery('imageDownloadView', { path: { imageDownload: editedId! } }),
    enabled: editedId !== undefined,
    staleTime: Infinity,
  }).data
  const form = useForm({
    defaultValues,
    values: edited && { ...defaultValues, ...valuesOfDownload(edited), source: 'url' as Source },
  })
  const { control, trigger, getValues, setValue } = form
  const [file, blockSize, source, known, rawDisk] = useWatch({
    control,
    name: ['imageFile', 'blockSize', 'source', 'known', 'rawDisk'],
  })
  const isFile = source === 'file'
  const canDownload = useCapability('imageDownloads')
  const hasExtensions = useEngine() !== undefined
  const download = useApiForm(
    'imageDownloadCreate',
    (values: DownloadValues) => downloadArgs(project, values),
    {
      onSuccess: () => {
        if (editedId) void discardDownload(editedId)
        toList()
      },
    },
  )
  const formats = useImageFormats()
  const image = useQuery({
    // A file has no key of its own.
    queryKey: [
      'imageFile',
      file?.name,
      file?.size,
      file?.lastModified,
      { formats, blockSize, rawDisk },
    ],
    queryFn: () => recognise(file!, { formats, blockSize, rawDisk }),
    enabled: file !== null,
  }).data
  const found = image?.problem === undefined ? image : undefined
  const diskSize = found?.size
  const [checking, setChecking] = useState(false)
  const [names, setNames] = useState(temporaryNames)
  const [error, setError] = useState<SubmitError | null>(null)
  const { upload, start, cleaning, close } = useUpload(project)

  // A wrong file is reported at once; other fields are validated on submit.
  useEffect(() => {
    if (image) void trigger('imageFile')
  }, [image, trigger])

  const choose = (image: WellKnownImage) => {
    const { name, os, version } = image
    if (!form.formState.dirtyFields.name) setValue('name', nameFrom(name))
    for (const [field, value] of Object.entries({ os, version, ...fileValues(image) })) {
      setValue(field as 'os', value)
    }
  }

  const submit = async ({ imageFile, blockSize, ...rest }: UploadValues) => {
    const values = imageValues(rest)
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
        title={isFile ? 'Upload image' : 'Import image'}
        onDismiss={toList}
        {...(isFile
          ? {
              onSubmit: (values: UploadValues) => void submit(values),
              loading: checking || cleaning,
              submitError: error,
            }
          : download)}
        code={({ imageFile, blockSize, ...values }) =>
          values.source !== 'file'
            ? download.code(values)
            : asCode(
                ...importSteps({
                  project,
                  names,
                  values: imageValues(values),
                  file: imageFile,
                  blockSize: Number(blockSize) as BlockSize,
                  diskSize,
                }),
              )
        }
      >
        {hasExtensions && (
          <RadioField
            name="source"
            label="Source"
            control={control}
            column
            items={[
              { value: 'file', label: 'File on this computer' },
              ...remoteSources.map((item) => ({
                ...item,
                disabledReason: !canDownload && asSentence(imageDownloadMessages.unavailable),
              })),
            ]}
          />
        )}
        {source === 'known' && (
          <KnownImageField control={control} known={known} onChoose={choose} />
        )}
        {source === 'url' && <FileFields control={control} />}
        <ImageFields control={control} />
        {isFile ? (
          <>
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
                if (!chosen) return 'Image file is required'
                return (await recognise(chosen, { formats, ...getValues() })).problem
              }}
            />
            {(image?.problem !== undefined ? image.maybeRaw : rawDisk) && (
              <RawDiskField control={control} />
            )}
            {found?.format && <ImageInfo {...found} />}
            {file && !image?.problem && found?.format === undefined && (
              <FileHintsInfo file={file} blockSize={Number(blockSize)} />
            )}
          </>
        ) : (
          <>
            {source === 'url' && <RawDiskField control={control} />}
            <CheckboxField
              name="forSilo"
              control={control}
              description="Otherwise only this project can use it"
            >
              Share with all projects
            </CheckboxField>
          </>
        )}
      </SideModalForm>
      {upload && <UploadProgress upload={upload} onClose={close} onDone={toList} />}
    </>
  )
}

/** Recognises the format of a file, or why it cannot become an image with these values. */
const recognise = (
  file: File,
  values: { formats: readonly ImageFormat[]; blockSize: string; rawDisk: boolean },
): Promise<RecognisedFile> =>
  recogniseFile(readingFrom(file), {
    bytes: file.size,
    blockSize: Number(values.blockSize),
    formats: values.formats,
    isRawDisk: values.rawDisk,
  })

const RawDiskField = ({ control }: { control: Control<UploadValues> }) => (
  <CheckboxField
    name="rawDisk"
    control={control}
    description="Only for a file without a partition table, a file system or the mark of a CD"
  >
    This is a raw disk
  </CheckboxField>
)
