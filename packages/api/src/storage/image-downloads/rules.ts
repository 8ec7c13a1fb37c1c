/** States, limits and refusals of downloads of images. */
import { exactBytes } from '../../rules/bytes.ts'
import { errors, type ErrorTemplate } from '../../rules/errors.ts'
import { DISTRIBUTED_DISK_MAX_SIZE } from '../disks/rules.ts'
import { imageProblems } from '../images/formats.ts'

/**
 * Every state, and the permitted actions:
 * - `downloading`: bytes arrive, or a connection is tried
 * - `verifying`: the stored bytes are compared with the checksum
 * - `importing`: the disk is converted, its snapshot taken, and the image made of it
 */
const states = {
  downloading: ['cancel'],
  verifying: ['cancel'],
  importing: ['cancel'],
  ready: ['delete'],
  failed: ['retry', 'delete'],
  cancelled: ['retry', 'delete'],
} as const satisfies Record<string, readonly ImageDownloadAction[]>

export type ImageDownloadState = keyof typeof states
export const imageDownloadStates = Object.keys(states) as ImageDownloadState[]

const participles = { cancel: 'cancelled', retry: 'retried', delete: 'deleted' } as const
export type ImageDownloadAction = keyof typeof participles

export const imageDownloadCan = (action: ImageDownloadAction, state: ImageDownloadState): boolean =>
  (states[state] as readonly ImageDownloadAction[]).includes(action)

/** States that a download leaves by itself. */
export const imageDownloadIsActive = (state: ImageDownloadState): boolean =>
  imageDownloadCan('cancel', state)

/** Refusal of an action in a state; undefined if it is permitted. */
export const imageDownloadRefusal = (
  action: ImageDownloadAction,
  state: ImageDownloadState,
): ErrorTemplate | undefined =>
  imageDownloadCan(action, state)
    ? undefined
    : errors.invalidRequest(`image download cannot be ${participles[action]} in state "${state}"`)

/** Bytes of a file: the largest disk. */
export const IMAGE_FILE_MAX = DISTRIBUTED_DISK_MAX_SIZE
/** Downloads of a silo that are in progress at the same time. */
export const IMAGE_DOWNLOADS_MAX = 8
/** Redirects that are followed. */
export const IMAGE_REDIRECTS_MAX = 5
/** Attempts without progress, after which a download fails. */
export const IMAGE_ATTEMPTS_MAX = 5
/** Milliseconds before the second attempt; each further wait is twice as long. */
export const IMAGE_RETRY_MS = 1_000
/** Milliseconds for the connection, up to the headers of the answer. */
export const IMAGE_CONNECT_MS = 30_000
/** A server that sends fewer bytes than this in so many milliseconds counts as stalled. */
export const IMAGE_STALL_MS = 30_000
export const IMAGE_STALL_BYTES = 32 * 1024
/** Milliseconds from the start of a download, after which it is not tried again. */
export const IMAGE_DOWNLOAD_MS = 24 * 60 * 60 * 1000
/** Bytes of a list of checksums. */
export const CHECKSUM_LIST_MAX = 256 * 1024
/** Retention of downloads that have ended, in milliseconds. */
export const IMAGE_DOWNLOADS_KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Hash functions of checksums, with the length of their hexadecimal values. */
export const checksumLengths = { sha256: 64, sha512: 128 } as const
export type ChecksumAlgorithm = keyof typeof checksumLengths

/** Problem with a checksum; undefined if there is none. */
export function checksumProblem(algorithm: ChecksumAlgorithm, value: string): string | undefined {
  const length = checksumLengths[algorithm]
  return new RegExp(`^[0-9a-f]{${length}}$`, 'i').test(value)
    ? undefined
    : `must have ${length} hexadecimal digits`
}

/** Reasons why an image is not made of a URL; sentences without a full stop. */
export const imageDownloadProblems = {
  closed: (host: string) =>
    `${host} is not on the public internet. To allow it, start the server with --image-networks and its network`,
  unknownHost: (host: string) => `The host ${host} is not known`,
  unreachable: (host: string, reason: string) => `The connection to ${host} failed: ${reason}`,
  certificate: (host: string, fault: string) => `The certificate of ${host} ${fault}`,
  proxy: (fault: string) => `The proxy of this server ${fault}`,
  noAnswer: (host: string) => `${host} did not answer in time`,
  stalled: 'The server has stopped sending',
  cutOff: 'The connection was cut',
  status: (host: string, status: number, text: string) =>
    `${host} answered with status ${status}${text === '' ? '' : ` (${text})`}`,
  forbidden: (status: string, asked: string, agent: string) =>
    `${status} when ${agent} asked for ${asked}`,
  redirects: `There are more than ${IMAGE_REDIRECTS_MAX} redirects`,
  redirectTo: (problem: string) => `A redirect leads to a wrong address: it ${problem}`,
  insecure: 'A redirect leads from https to http, which is allowed only with a checksum',
  encoded: (encoding: string) => `The server sends the file with the encoding ${encoding}`,
  tooLarge: `The file is larger than ${exactBytes(IMAGE_FILE_MAX)}`,
  empty: 'The file is empty',
  notBlocks: imageProblems.notBlocks,
  noSpace: 'There is not enough storage for the image',
  tooLong: `The download took longer than ${IMAGE_DOWNLOAD_MS / 3_600_000} hours`,
  wrongSum: (wanted: string, found: string) =>
    `The checksum of the file is ${found}, and not ${wanted}`,
  listTooLarge: `The list of checksums is larger than ${exactBytes(CHECKSUM_LIST_MAX)}`,
  notListed: (file: string) => `The list of checksums has none for ${file}`,
  list: (problem: string) => `The list of checksums cannot be read: ${problem}`,
  userGone: 'The user who started the download was deleted or deactivated',
  tokenGone: 'The access token with which the download was started has expired or was deleted',
  diskChanged: 'The disk of the download was changed or deleted',
  notConverted: 'The disk of the image has failed',
} as const

export const imageDownloadMessages = {
  unavailable: 'This server cannot download images: upload the file instead',
  tooMany: `a silo can have ${IMAGE_DOWNLOADS_MAX} image downloads in progress`,
  cleaningUp: 'what the image download has stored is still being deleted; try again',
  nameInUse: (name: string) => `an image named "${name}" is being downloaded`,
} as const
