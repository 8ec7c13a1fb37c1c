/**
 * Images of users in the formats that they have. An image can name other files, which QEMU would
 * open with the rights of the server; such an image is refused by its header, before QEMU sees it.
 */
import { open } from 'node:fs/promises'
import {
  checkImageHead,
  DISTRIBUTED_DISK_MAX_SIZE,
  exactBytes,
  IMAGE_HEAD_BYTES,
  type ImageFormat,
  imageProblems,
  type ReadImage,
} from '@steading/api/rules'
import { NoSpaceError, UnusableImageError } from '@steading/control-plane/ports'
import { readInto } from '@steading/files'
import { withoutPaths } from '../host-paths.ts'
import { type FileCalls, fileCalls } from '../file-systems/file-calls.ts'
import { tableProblem } from './image-tables.ts'
import {
  checkImage,
  copyBytes,
  copyImage,
  type CopyOptions,
  growImage,
  imageInfo,
  type ImagePlace,
  layerIn,
} from './qemu-img.ts'
import { ProgramError } from './run-program.ts'
import { writeWhole } from './whole-file.ts'

export { UnusableImageError }

/** An image that can be used. */
export interface InspectedImage {
  format: ImageFormat
  /** Bytes of the disk in it. */
  size: number
}

const SECTOR = 512
const ISO_DESCRIPTOR = 32 * 1024

const refuse = (message: string): never => {
  throw new UnusableImageError(message)
}

/** Refuses a text that describes the parts of a VMDK image if it names other files. */
function checkVmdkDescriptor(text: string): void {
  const parent = /^\s*parentCID\s*=\s*([\da-f]+)/im.exec(text)?.[1]
  if (parent !== undefined && !/^f{8}$/i.test(parent)) refuse(imageProblems.backing)
  if (/^\s*parentFileNameHint\s*=/im.test(text)) refuse(imageProblems.backing)
  const extents = text.match(/^\s*(?:RW|RDONLY|NOACCESS)\s+\d+\s+\S+/gim) ?? []
  if (extents.length > 1) refuse(imageProblems.elsewhere)
  if (extents.some((line) => !/\sSPARSE$/i.test(line))) refuse(imageProblems.elsewhere)
}

/**
 * Refuses a VMDK image unless all of it is in this file. QEMU looks for the description at a fixed
 * place, other programs where the header says; and it reads one without a capacity as text that
 * names files.
 */
async function checkVmdk(head: DataView, read: ReadImage, bytes: number): Promise<void> {
  if (head.byteLength < SECTOR) refuse(imageProblems.truncated)
  if (head.getBigUint64(12, true) === 0n) refuse(imageProblems.elsewhere)
  const sectors = Number(head.getBigUint64(28, true))
  const length = Number(head.getBigUint64(36, true))
  if (sectors === 0) refuse(imageProblems.elsewhere)
  const DESCRIPTION_MAX = 64 * 1024
  for (const start of [SECTOR, sectors * SECTOR]) {
    if (start >= bytes) refuse(imageProblems.truncated)
    const textBytes = Math.min(DESCRIPTION_MAX, Math.max(length, 20) * SECTOR, bytes - start)
    const text = Buffer.from(await read(start, textBytes))
    const end = text.indexOf(0)
    checkVmdkDescriptor(text.toString('latin1', 0, end === -1 ? text.length : end))
  }
}

/** Refuses an ISO image that ends before its file system does. */
function checkIso(head: DataView, bytes: number): void {
  if (head.byteLength < ISO_DESCRIPTOR + 132) refuse(imageProblems.truncated)
  const blocks = head.getUint32(ISO_DESCRIPTOR + 80, true)
  const blockSize = head.getUint16(ISO_DESCRIPTOR + 128, true)
  if (blocks * blockSize > bytes) refuse(imageProblems.truncated)
}

/** The name of a format in QEMU. */
const driverOf = (format: ImageFormat): string => (format === 'iso' ? 'raw' : format)

/** Does work with the bytes of an image. */
async function withBytes<T>(
  place: ImagePlace,
  work: (read: ReadImage, bytes: number) => Promise<T>,
): Promise<T> {
  if (typeof place !== 'string') return work(place.read, place.bytes)
  const file = await open(place, 'r')
  try {
    const { size } = await file.stat()
    const read: ReadImage = async (offset, length) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
      await readInto(file, bytes, offset)
      return bytes
    }
    return await work(read, size)
  } finally {
    await file.close()
  }
}

/** Reads the header as bytes. @returns the format, if the image is complete in itself */
const checkHeader = (place: ImagePlace): Promise<{ format: ImageFormat; bytes: number }> =>
  withBytes(place, async (read, bytes) => {
    if (bytes === 0) refuse(imageProblems.empty)
    const head = await read(0, Math.min(IMAGE_HEAD_BYTES, bytes))
    const found = checkImageHead(head, { isRawDisk: true })
    if ('problem' in found) return refuse(found.problem)
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
    if (found.format === 'vmdk') await checkVmdk(view, read, bytes)
    if (found.format === 'iso') checkIso(view, bytes)
    const problem = await tableProblem(found.format, read, bytes)
    if (problem !== undefined) refuse(problem)
    return { format: found.format, bytes }
  })

/** The file names in what QEMU knows about an image. */
const extentsOf = (data: Record<string, unknown> | undefined): string[] =>
  ((data?.extents ?? []) as { filename?: string }[]).flatMap(({ filename }) => filename ?? [])

async function asUnusable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    if (error.status === undefined || /Cannot allocate memory/.test(error.errors)) {
      return refuse(imageProblems.tooMuch)
    }
    const last = error.errors.split(': ').at(-1) ?? error.errors
    const reason = last === 'Invalid argument' ? 'its structure is damaged' : withoutPaths(last)
    return refuse(imageProblems.unreadable(reason))
  }
}

/**
 * Recognises an image, and makes sure that it is sound and complete in itself.
 * @param place where nothing else writes to
 * @param maxSize bytes that the disk in it may have
 * @throws UnusableImageError
 */
export async function inspectImage(
  place: ImagePlace,
  { maxSize = DISTRIBUTED_DISK_MAX_SIZE, signal }: { maxSize?: number; signal?: AbortSignal } = {},
): Promise<InspectedImage & { bytes: number }> {
  const { format, bytes } = await checkHeader(place)
  const driver = driverOf(format)
  const info = await asUnusable(imageInfo(place, driver))
  const data = info['format-specific']?.data
  if (info['backing-filename'] !== undefined) refuse(imageProblems.backing)
  if (data?.['data-file'] !== undefined) refuse(imageProblems.elsewhere)
  const isElsewhere = (name: string) =>
    typeof place === 'string' ? name !== place : layerIn(name) !== place.layer
  if (extentsOf(data).some(isElsewhere)) refuse(imageProblems.elsewhere)
  if (info.encrypted) refuse(imageProblems.encrypted)
  const size = info['virtual-size']
  if (size === 0) refuse(imageProblems.empty)
  if (size > maxSize) refuse(imageProblems.tooLarge(exactBytes(maxSize)))
  if (driver !== 'raw') {
    const found = await asUnusable(checkImage(place, driver, { bytes, signal }))
    if (found && (found['check-errors'] > 0 || (found.corruptions ?? 0) > 0)) {
      refuse(imageProblems.damaged)
    }
  }
  return { format, size, bytes }
}

export interface ConvertOptions extends Pick<CopyOptions, 'signal' | 'progress'> {
  /** Bytes that the disk in the image may have. */
  maxSize?: number
  /** Bytes that the file may take. */
  room?: number
  /** Bytes of the disk in the new file, if it is to be larger than that in the image. */
  size?: number
  /** To the file system of the new file. */
  calls?: FileCalls
}

/**
 * Converts an image of a user to a new qcow2 file.
 * @param target a path where there is no file; nothing is left there if it fails
 * @throws UnusableImageError
 * @throws NoSpaceError
 */
export async function convertImage(
  place: ImagePlace,
  target: string,
  { maxSize, room = Infinity, size = 0, calls = fileCalls, signal, progress }: ConvertOptions = {},
): Promise<InspectedImage> {
  const { bytes, ...image } = await inspectImage(place, { maxSize, signal })
  const driver = driverOf(image.format)
  const required = await asUnusable(copyBytes(place, driver, { bytes, signal }))
  if (required > room) {
    throw new NoSpaceError('the image is larger than the remaining space')
  }
  await asUnusable(
    writeWhole(
      target,
      async (part) => {
        await copyImage(place, driver, part, { bytes: bytes + required, signal, progress })
        if (size > image.size) await growImage(part, size)
      },
      (part) => calls.link(part, target),
      calls,
    ),
  )
  return image
}
