import type { Args, ImageChecksum, ImageDownload, WellKnownImage } from '@steading/api/client'
import { asSentence, checksumProblem, urlProblem } from '@steading/api/rules'
import type { ImageValues } from '../images/upload-state.ts'

/** Where a checksum comes from. */
export type ChecksumType = 'none' | ImageChecksum['type']

/** Fields of a file at a URL. */
export type FileAtUrl = { url: string; checksumType: ChecksumType; checksum: string }

export const blankFile: FileAtUrl = { url: '', checksumType: 'none', checksum: '' }

export type DownloadValues = ImageValues & FileAtUrl & { forSilo: boolean; rawDisk: boolean }

export const checksumItems: { value: ChecksumType; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'sha256', label: 'SHA-256' },
  { value: 'sha512', label: 'SHA-512' },
  { value: 'list', label: 'List of checksums' },
]

export const urlFieldProblem = (url: string): string | undefined =>
  url === '' ? 'URL is required' : asSentence(urlProblem(url))

export function checksumFieldProblem(type: ChecksumType, text: string): string | undefined {
  if (type === 'none') return undefined
  if (type === 'list') return urlFieldProblem(text)
  return text === '' ? 'Checksum is required' : asSentence(checksumProblem(type, text))
}

export function checksumOf({ checksumType: type, checksum }: FileAtUrl): ImageChecksum | null {
  if (type === 'none') return null
  const text = checksum.trim()
  return type === 'list' ? { type, url: text } : { type, value: text }
}

/** The values of the fields for a file that is known. */
export const fileValues = ({
  url,
  checksum,
}: {
  url: string
  checksum: ImageChecksum | null
}): FileAtUrl => ({
  url,
  checksumType: checksum?.type ?? 'none',
  checksum: !checksum ? '' : checksum.type === 'list' ? checksum.url : checksum.value,
})

/** A name made of the words of an image. */
export const nameFrom = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** The values for a well-known image as it is in the catalog. */
export const valuesOfKnown = (image: WellKnownImage): DownloadValues => ({
  name: nameFrom(image.name),
  description: '',
  os: image.os,
  version: image.version,
  forSilo: false,
  rawDisk: false,
  ...fileValues(image),
})

export const valuesOfDownload = (download: ImageDownload): DownloadValues => {
  const { name, description, os, version, forSilo, rawDisk } = download
  return { name, description, os, version, forSilo, rawDisk, ...fileValues(download) }
}

export const downloadArgs = (
  project: string,
  { name, description, os, version, forSilo, rawDisk, ...file }: DownloadValues,
): Args<'imageDownloadCreate'> => ({
  query: { project },
  body: {
    name,
    description,
    os,
    version,
    forSilo,
    rawDisk,
    url: file.url.trim(),
    checksum: checksumOf(file),
  },
})
