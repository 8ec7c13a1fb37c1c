import { useEffect, useState } from 'react'
import { docsPages, type RecognisedFile } from '@steading/api/rules'
import { Size } from '../../ui/text.tsx'
import { DocsLink } from '../../ui/docs-links.tsx'
import { Banner } from '../../ui/banner.tsx'
import { blockSizeHint, bootableHints, readFileHints, type FileHints } from './file-hints.ts'

/** An image that is converted after its upload. */
export const ImageInfo = ({ format, size }: Extract<RecognisedFile, { problem?: undefined }>) => (
  <Banner title={`The file is a ${format} image`}>
    {size !== undefined && (
      <>
        The disk in it has <Size bytes={size} />.{' '}
      </>
    )}
    It is converted after the upload.
  </Banner>
)

/** Warnings about a file with the bytes of a disk, which do not prevent the upload. */
export function FileHintsInfo({ file, blockSize }: { file: File; blockSize: number }) {
  const [read, setRead] = useState<{ of: File; hints: FileHints }>()
  useEffect(() => {
    let current = true
    readFileHints(file).then(
      (hints) => current && setRead({ of: file, hints }),
      // The upload reports a file that cannot be read.
      () => {},
    )
    return () => {
      current = false
    }
  }, [file])
  if (read?.of !== file) return null
  const size = blockSizeHint(read.hints, blockSize)
  const boot = bootableHints(read.hints)
  return (
    <>
      {size && <Banner title="Block size might be set incorrectly">{size}</Banner>}
      {boot.length > 0 && (
        <Banner title="This image might not be bootable">
          {boot.join(' ')} Only raw images can be booted from.{' '}
          <DocsLink page={docsPages.imageFiles}>Preparing images for import</DocsLink>
        </Banner>
      )}
    </>
  )
}
