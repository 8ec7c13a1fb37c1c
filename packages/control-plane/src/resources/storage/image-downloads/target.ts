/** The disk that a download writes to. */
import {
  blockSizes,
  CD_BLOCK_SIZE,
  checkImageHead,
  diskSizeInImage,
  DISTRIBUTED_DISK_MAX_SIZE,
  exactBytes,
  GiB,
  IMAGE_HEAD_BYTES,
  imageDownloadProblems as problems,
  imageProblems,
  importSteps,
  isCdImage,
  isConverted,
  partitionedBlockSize,
  quotaMessages,
} from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { findLive } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { writingIn } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { changeDisk } from '../disks/change.ts'
import { createDisk } from '../disks/create.ts'
import { roomWithoutKept } from '../../workspace/deleted-resources/make-room.ts'
import { asUser, type Download, DownloadFailure, keep } from './steps.ts'

/** Milliseconds between two looks at a disk that is being made, and how many are taken. */
const LOOK_MS = 50
const LOOKS = 200

interface DiskShape {
  size: number
  blockSize: Wire.BlockSize
}

/** The block size that the contents of an image ask for. */
const blockSizeIn = (head: Uint8Array): Wire.BlockSize =>
  isCdImage(head) ? CD_BLOCK_SIZE : (partitionedBlockSize(head) ?? blockSizes[0])

/**
 * The disk that a file needs.
 * @param beginning the first bytes of the file, or all of them
 * @throws DownloadFailure for a file of which no disk can be made
 */
async function shapeOf(
  { services, row }: Download,
  beginning: Uint8Array,
  fileSize: number,
): Promise<DiskShape> {
  const head = beginning.subarray(0, IMAGE_HEAD_BYTES)
  const found = checkImageHead(head, { isRawDisk: row.raw_disk === 1 })
  if ('problem' in found) throw new DownloadFailure(found.problem)
  const formats = services.volumes.images?.formats ?? []
  const inside = formats.includes(found.format)
    ? await diskSizeInImage(
        async (offset, length) => beginning.slice(offset, offset + length),
        found.format,
      )
    : undefined
  if (inside !== undefined && inside > DISTRIBUTED_DISK_MAX_SIZE) {
    throw new DownloadFailure(imageProblems.tooLarge(exactBytes(DISTRIBUTED_DISK_MAX_SIZE)))
  }
  const blockSize = row.block_size ?? blockSizeIn(head)
  if (!isConverted(found.format) && fileSize % blockSize !== 0) {
    throw new DownloadFailure(problems.notBlocks(blockSize))
  }
  return { size: Math.ceil(Math.max(fileSize, inside ?? 0) / GiB) * GiB, blockSize }
}

/** Waits until a disk can be written to, and reserves it for the download. */
async function reserve(download: Download, diskId: string): Promise<void> {
  const { services, step } = download
  for (let looks = 0; looks < LOOKS; looks++) {
    await step.first('disk', diskId)
    const disk = await findLive(services.database.db, 'disk', diskId)
    if (disk?.state === importSteps.download.from) {
      const { to } = importSteps.download
      const changed = await services.database.concurrently((tx) =>
        changeDisk(writingIn(tx, services.clock()), disk, { state: to }),
      )
      if (changed) return
    } else if (disk?.state !== 'creating') {
      throw new DownloadFailure(problems.diskChanged)
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw new Error(`disk ${diskId} of an image download is not made`)
}

/**
 * Refuses a download whose snapshot would exhaust the quota after the last byte.
 * @throws ApiError 507
 */
async function requireQuota(tx: Db, siloId: string, bytes: number): Promise<void> {
  const { used_storage, quota_storage } = await readRow(
    tx,
    'silo',
    siloId,
    'used_storage',
    'quota_storage',
  )
  if (used_storage + bytes > quota_storage) throw fail.insufficientCapacity(quotaMessages.storage)
}

/**
 * Makes the disk for a file, which is read from its beginning.
 * @throws DownloadFailure, ApiError if the user may not have the disk
 */
export async function makeTarget(
  download: Download,
  beginning: Uint8Array,
  file: { size: number; validator: string | null },
): Promise<void> {
  const { services, row } = download
  const { size, blockSize } = await shapeOf(download, beginning, file.size)
  if ((await roomWithoutKept(services)) < file.size) throw new DownloadFailure(problems.noSpace)
  const values = { size: file.size, validator: file.validator, received: 0 }
  const disk = await services.database.transaction((tx) =>
    asUser(download, tx, 'disk_create', async (work) => {
      const project = await lookup(work, 'project', row.project_id)
      const made = await createDisk(work, project, {
        name: `image-download-${crypto.randomUUID().slice(0, 8)}`,
        description: `disk of the image download ${row.name}`,
        size,
        disk_backend: {
          type: 'distributed',
          disk_source: { type: 'importing_blocks', block_size: blockSize },
        },
      })
      await requireQuota(tx, row.silo_id, 2 * size)
      await keep(tx, download, { ...values, disk_id: made.id })
      return made
    }),
  )
  Object.assign(row, values, { disk_id: disk.id })
  services.feed.notify()
  await reserve(download, disk.id)
}
