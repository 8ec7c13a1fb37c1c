/**
 * Images of users in the formats that they have. An image can name other files, which QEMU would
 * open with the rights of the server; such an image is refused by its header, before QEMU sees it.
 */
import { type FileHandle, link, open } from 'node:fs/promises'
import {
  DISTRIBUTED_DISK_MAX_SIZE,
  exactBytes,
  IMAGE_HEAD_BYTES,
  type ImageFormat,
  imageProblems,
  recogniseImage,
} from '@steading/api/rules'
import { NoSpaceError } from '@steading/control-plane/ports'
import { readInto } from '@steading/files'
import { checkImage, copyBytes, copyImage, type CopyOptions, imageInfo } from './qemu-img.ts'
import { ProgramError } from './run-program.ts'
import { writeWhole } from './whole-file.ts'

/** An image that no disk can be made of; its message is for the user. */
export class UnusableImageError extends Error {}

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

/** Refuses a qcow2 image that needs another file or a key. */
function checkQcow2(head: DataView): void {
  if (head.byteLength < 72) refuse(imageProblems.truncated)
  if (head.getBigUint64(8) !== 0n || head.getUint32(16) !== 0) refuse(imageProblems.backing)
  if (head.getUint32(32) !== 0) refuse(imageProblems.encrypted)
  if (head.getUint32(4) < 3) return
  if (head.byteLength < 104) refuse(imageProblems.truncated)
  const DATA_FILE = 1n << 2n
  if ((head.getBigUint64(72) & DATA_FILE) !== 0n) refuse(imageProblems.elsewhere)
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
async function checkVmdk(head: DataView, file: FileHandle, bytes: number): Promise<void> {
  if (head.byteLength < SECTOR) refuse(imageProblems.truncated)
  if (head.getBigUint64(12, true) === 0n) refuse(imageProblems.elsewhere)
  const sectors = Number(head.getBigUint64(28, true))
  const length = Number(head.getBigUint64(36, true))
  if (sectors === 0) refuse(imageProblems.elsewhere)
  const DESCRIPTION_MAX = 64 * 1024
  for (const start of [SECTOR, sectors * SECTOR]) {
    if (start >= bytes) refuse(imageProblems.truncated)
    const text = Buffer.alloc(
      Math.min(DESCRIPTION_MAX, Math.max(length, 20) * SECTOR, bytes - start),
    )
    await readInto(file, text, start)
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

/** Reads the header as bytes. @returns the format, if the file is complete in itself */
async function checkHeader(path: string): Promise<ImageFormat> {
  const file = await open(path, 'r')
  try {
    const { size: bytes } = await file.stat()
    if (bytes === 0) refuse(imageProblems.empty)
    const head = new Uint8Array(Math.min(IMAGE_HEAD_BYTES, bytes))
    await readInto(file, head, 0)
    const found = recogniseImage(head)
    if ('problem' in found) return refuse(found.problem)
    const view = new DataView(head.buffer)
    if (found.format === 'qcow2') checkQcow2(view)
    if (found.format === 'vmdk') await checkVmdk(view, file, bytes)
    if (found.format === 'iso') checkIso(view, bytes)
    return found.format
  } finally {
    await file.close()
  }
}

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
    const reason = error.errors.split(': ').at(-1) ?? error.errors
    return refuse(imageProblems.unreadable(reason))
  }
}

/**
 * Recognises an image, and makes sure that it is sound and complete in itself.
 * @param path a file that nothing else writes to
 * @param maxSize bytes that the disk in it may have
 * @throws UnusableImageError
 */
export async function inspectImage(
  path: string,
  { maxSize = DISTRIBUTED_DISK_MAX_SIZE }: { maxSize?: number } = {},
): Promise<InspectedImage> {
  const format = await checkHeader(path)
  const driver = driverOf(format)
  const info = await asUnusable(imageInfo(path, driver))
  const data = info['format-specific']?.data
  if (info['backing-filename'] !== undefined) refuse(imageProblems.backing)
  if (data?.['data-file'] !== undefined) refuse(imageProblems.elsewhere)
  if (extentsOf(data).some((name) => name !== path)) refuse(imageProblems.elsewhere)
  if (info.encrypted) refuse(imageProblems.encrypted)
  const size = info['virtual-size']
  if (size === 0) refuse(imageProblems.empty)
  if (size > maxSize) refuse(imageProblems.tooLarge(exactBytes(maxSize)))
  if (driver !== 'raw') {
    const found = await asUnusable(checkImage(path, driver))
    if (found && (found['check-errors'] > 0 || (found.corruptions ?? 0) > 0)) {
      refuse(imageProblems.damaged)
    }
  }
  return { format, size }
}

/**
 * Converts an image of a user to a new qcow2 file.
 * @param target a path where there is no file; nothing is left there if it fails
 * @param room bytes that the file may take
 * @throws UnusableImageError
 * @throws NoSpaceError
 */
export async function convertImage(
  path: string,
  target: string,
  { maxSize, room = Infinity, ...options }: CopyOptions & { maxSize?: number; room?: number } = {},
): Promise<InspectedImage> {
  const image = await inspectImage(path, { maxSize })
  const driver = driverOf(image.format)
  if ((await asUnusable(copyBytes(path, driver))) > room) {
    throw new NoSpaceError('the image is larger than the remaining space')
  }
  await asUnusable(
    writeWhole(
      target,
      (part) => copyImage(path, driver, part, options),
      (part) => link(part, target),
    ),
  )
  return image
}
