import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiQuery } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { ApiError } from '../data/errors.ts'
import { Banner } from '../ui/banner.tsx'
import { LinkButton } from '../ui/button.tsx'
import { isAbandonedImport } from './abandoned-imports.ts'
import {
  forgetUpload,
  isUploading,
  rememberedUploads,
  type RememberedUpload,
} from './upload-memory.ts'

/** The uploads to a project that this browser has begun and not finished. */
export function InterruptedUploads({ project }: { project: string }) {
  const canResume = useCapability('importResume')
  if (!canResume) return null
  return rememberedUploads()
    .filter((upload) => upload.project === project)
    .map((upload) => <InterruptedUpload key={upload.disk.id} upload={upload} />)
}

function InterruptedUpload({ upload }: { upload: RememberedUpload }) {
  const { project, disk, fileName, values } = upload
  const { data, error } = useQuery(
    apiQuery('diskView', { path: { disk: disk.id } }, { allow404: true }),
  )
  const running = useQuery({
    queryKey: ['is uploading', disk.id],
    queryFn: () => isUploading(disk.id),
    refetchOnMount: 'always',
  })
  const gone = error instanceof ApiError && error.statusCode === 404
  useEffect(() => {
    if (gone) forgetUpload(disk.id)
  }, [gone, disk.id])
  if (gone || !data || !isAbandonedImport(data) || running.data !== false) return null
  return (
    <Banner variant="notice" title="An upload was interrupted" className="mx-(--gutter) mb-4">
      <span className="wrap-anywhere">
        {fileName} was being uploaded as {values.name}. It goes on from what has arrived.
      </span>
      <div className="mt-2">
        <LinkButton
          size="sm"
          to="/projects/$project/disks/$disk/resume-upload"
          params={{ project, disk: disk.name }}
        >
          Resume upload
        </LinkButton>
      </div>
    </Banner>
  )
}
