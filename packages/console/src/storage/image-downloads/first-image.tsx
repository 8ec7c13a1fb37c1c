import type { Image, WellKnownImage } from '@steading/api/client'
import { imageDownloadIsActive } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Download as DownloadIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { invalidate, useApiMutation } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { downloadArgs, valuesOfKnown } from './download-values.ts'
import { downloadsQuery, ImageDownloads } from './image-downloads.tsx'
import { projectImagesQuery, siloImagesQuery } from '../images/queries.ts'
import { catalogQuery } from './known-image-field.tsx'

/** Images for machines of the architecture that engines run. */
const fits = ({ architecture }: WellKnownImage) => architecture === 'x86_64'

type Props = {
  project: string
  /** All that the project can use. */
  images: readonly Pick<Image, 'id'>[]
  /** Gets the image that was made of a download which began here, once it is among the images. */
  onReady?: (imageId: string) => void
  className?: string
}

/**
 * The way to the first image of a project: one click fetches an image of the catalog, whose checksum
 * is compared. Shows its progress until it is ready.
 */
export function FirstImage({ project, images, onReady, className }: Props) {
  const hasImages = images.length > 0
  const able = useCapability('imageDownloads')
  const [startedId, setStartedId] = useState<string>()
  const known = useQuery({ ...catalogQuery, enabled: able && !hasImages }).data?.images.filter(fits)
  const { data } = useQuery({ ...downloadsQuery(project), enabled: able })
  const started = data?.items.find(({ id }) => id === startedId)
  useReady(started?.imageId, images, onReady)
  const start = useApiMutation('imageDownloadCreate', {
    onSuccess: ({ id }) => {
      setStartedId(id)
      void invalidate('imageDownloadList')
    },
  })
  if (!able || (hasImages && !started)) return null
  const isBusy = data?.items.some(({ state }) => imageDownloadIsActive(state)) ?? false
  return (
    <div className={className}>
      {!hasImages && !isBusy && known && known.length > 0 && (
        <Banner variant="info" title="Get an image">
          <p>Each is fetched from its publisher, and its checksum is compared.</p>
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
      {onReady && <ImageDownloads project={project} inset={false} />}
    </div>
  )
}

/** Reads the images anew once one is made, and then calls back. */
function useReady(
  imageId: string | null | undefined,
  images: Props['images'],
  onReady: Props['onReady'],
) {
  useEffect(() => {
    if (imageId) void invalidate('imageList')
  }, [imageId])
  const made = images.find(({ id }) => id === imageId)?.id
  useEffect(() => {
    if (made !== undefined) onReady?.(made)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each image
  }, [made])
}

/** The same on the page of the images of a project, which shows the downloads itself. */
export function FirstImageOfProject({ project, className }: Pick<Props, 'project' | 'className'>) {
  const own = useQuery(projectImagesQuery(project)).data
  const shared = useQuery(siloImagesQuery).data
  if (!own || !shared) return null
  const images = [...own.items, ...shared.items]
  return <FirstImage project={project} images={images} className={className} />
}
