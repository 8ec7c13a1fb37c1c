import { ImageConversion } from '../disks/contents-operations.ts'
import { BlockSize } from '../disks/schemas.ts'
import { imageText } from '../images/schemas.ts'
import { URL_MAX, urlProblem } from '../../rules/urls.ts'
import {
  type ChecksumAlgorithm,
  checksumLengths,
  checksumProblem,
  imageDownloadStates,
} from './rules.ts'
import {
  boolean,
  ByteCount,
  dateTime,
  identityCreate,
  Name,
  named,
  oneOf,
  record,
  string,
  tagged,
  text,
  uuid,
} from '../../schema.ts'

export const WebAddress = named('WebAddress', text(URL_MAX, { format: 'uri' }, urlProblem))

const sum = (algorithm: ChecksumAlgorithm) =>
  text(
    checksumLengths[algorithm],
    { pattern: `^[0-9a-fA-F]{${checksumLengths[algorithm]}}$` },
    (value) => checksumProblem(algorithm, value),
    (value) => value.toLowerCase(),
  )

export const ImageChecksum = named(
  'ImageChecksum',
  tagged('type', {
    sha256: { value: sum('sha256') },
    sha512: { value: sum('sha512') },
    /** A list of checksums, such as `SHA256SUMS`, which is read with each attempt. */
    list: { url: WebAddress },
  }),
)

export const ImageDownloadState = named('ImageDownloadState', oneOf(...imageDownloadStates))

const about = { os: imageText, version: imageText, url: WebAddress }

export const ImageDownloadCreate = record('ImageDownloadCreate', {
  ...identityCreate,
  ...about,
  checksum: ImageChecksum.nullable().optional(),
  /** By default the size that the contents of the file ask for. */
  block_size: BlockSize.nullable().optional(),
  /** Makes an image of the whole silo; the project has the disk of the import. */
  for_silo: boolean.default(false),
  /** The file is a raw disk, although it has no partition table, file system or mark of a CD. */
  raw_disk: boolean.default(false),
})

export const ImageDownload = record('ImageDownload', {
  id: uuid,
  name: Name,
  description: string,
  time_created: dateTime,
  project_id: uuid,
  os: string,
  version: string,
  url: string,
  checksum: ImageChecksum.nullable(),
  block_size: BlockSize.nullable(),
  for_silo: boolean,
  raw_disk: boolean,
  state: ImageDownloadState,
  /** Of the file; null until the server has told it. */
  size: ByteCount.nullable(),
  /** Stored bytes of the file. */
  received: ByteCount,
  conversion: ImageConversion.nullable(),
  /** Why it failed, or why the last attempt did: a sentence for the user. */
  problem: string.nullable(),
  /** The image, once it is ready. */
  image_id: uuid.nullable(),
  time_finished: dateTime.nullable(),
})
