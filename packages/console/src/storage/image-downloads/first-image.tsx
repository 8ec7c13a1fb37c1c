import type { Image, WellKnownImage } from '@steading/api/client'
import { imageDownloadIsActive } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Download as DownloadIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { invalidate, useApiMutation } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { isForbidden } from '../../data/errors.ts'
import { itemsOf } from '../../data/reads.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { downloadArgs, valuesOfKnown } from './download-values.ts'
import { downloadsQuery, ImageDownloads } from './image-downloads.tsx'
import { imageLists, projectImagesQuery, siloImagesQuery } from '../images/queries.ts'
import { catalogQuery } from '../image-catalog/queries.ts'

/** Images for machines of the architecture that engines run. */
const fits = ({ architecture }: WellKnownImage) => architecture === 'x86_64'

type Props = {
  project: string
  /** All that the project can use. */
  images: readonly Pick<Image, 'id'>[]
  /** Called with the image of a download that began here, once it is among the images. */
  onReady?: (imageId: string) => void
  className?: string
}

/**
 * Offers the images of the catalog to a project that has none: one click downloads an image and
 * verifies the checksum. Shows the progress until the image is ready.
 */
export function FirstImage({ project, images, onReady, className }: Props) {
  const hasImages = images.length > 0
  const supported = useCapability('imageDownloads')
  const [startedId, setStartedId] = useState<string>()
  const known = useQuery({ ...catalogQuery, enabled: supported && !hasImages }).data?.images.filter(
    fits,
  )
  const { data } = useQuery({ ...downloadsQuery(project), enabled: supported })
  const started = data?.items.find(({ id }) => id === startedId)
  useReady(started?.imageId, images, onReady)
  const start = useApiMutation('imageDownloadCreate', {
    onSuccess: ({ id }) => {
      setStartedId(id)
    },
  })
  if (!supported || (hasImages && !started)) return null
  const isBusy = data?.items.some(({ state }) => imageDownloadIsActive(state)) ?? false
  return (
    <div className={className}>
      {!hasImages && !isBusy && known && known.length > 0 && (
        <Banner variant="info" title="Get an image">
          <p>Images are downloaded from their publishers, and checksums are verified.</p>
          {start.error && <p role="alert">{start.error.message}</p>}
          <div className="mt-2 flex flex-wrap gap-2">
            {known.map((image) => (
              <Button
                key={image.name}
                size="sm"
                sends
                calls="imageDownloadCreate"
                icon={<DownloadIcon size={14} strokeWidth={1.5} aria-hidden />}
                aria-label={`Get ${image.name}`}
                disabled={start.isPending}
                onClick={() => start.mutate(downloadArgs(project, valuesOfKnown(image)))}
              >
                {image.name}
              </Button>
            ))}
          </div>
        </Banner>
      )}
      {onReady && <ImageDownloads project={project} className="mb-4" />}
    </div>
  )
}

/** Rereads the images once a download has made one, and then calls back. */
function useReady(
  imageId: string | null | undefined,
  images: Props['images'],
  onReady: Props['onReady'],
) {
  useEffect(() => {
    if (imageId) void invalidate(...imageLists)
  }, [imageId])
  const made = images.find(({ id }) => id === imageId)?.id
  useEffect(() => {
    if (made !== undefined) onReady?.(made)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each image
  }, [made])
}

/** The same on the images page of a project, which shows the downloads itself. */
export function FirstImageOfProject({ project, className }: Pick<Props, 'project' | 'className'>) {
  const own = useQuery(projectImagesQuery(project)).data
  const shared = useQuery(siloImagesQuery(project))
  if (!own || (!shared.data && !isForbidden(shared.error))) return null
  const images = [...own.items, ...itemsOf(shared)]
  return <FirstImage project={project} images={images} className={className} />
}
