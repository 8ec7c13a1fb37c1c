/** The operations of `qemu-img` on image files. */
import { ProgramError, type ProgramLimits, runProgram } from './run-program.ts'

const GiB = 1024 ** 3

/**
 * Limits for reading the header of an image, which may be hostile. A thread of QEMU needs much
 * address space and little memory.
 */
const inspecting: ProgramLimits = { memory: 2 * GiB, cpu: 30, timeout: 60_000 }
/** Memory for reading a whole image. */
const COPY_MEMORY = 4 * GiB
/** The slowest reading of an image of a user, for which others may have to wait. Bytes per second. */
const SLOWEST = 4 * 1024 * 1024
/** The longest timer of Node. */
const MAX_TIMEOUT = 2 ** 31 - 1
/**
 * Limits for reading a whole image.
 * @param bytes of an image of a user, which limit the time; for a copy with those of the copy, which
 *   is larger than a compressed image. Undefined for an image of ours.
 */
const copying = (bytes?: number): ProgramLimits => ({
  memory: COPY_MEMORY,
  ...(bytes !== undefined && {
    timeout: Math.min(MAX_TIMEOUT, Math.ceil(120 + bytes / SLOWEST) * 1_000),
  }),
})

const img = (args: readonly string[], options: Parameters<typeof runProgram>[2]): Promise<string> =>
  runProgram('qemu-img', args, options)

/** An image in the first bytes of a layer, which nothing writes to. */
export interface ImageInLayer {
  /** Path of the layer. */
  layer: string
  bytes: number
  /** Reads bytes of the image. */
  read: (offset: number, length: number) => Promise<Uint8Array>
}
/** A layer that nothing writes to, although programs may have it open for writing. */
export interface RestingLayer {
  shared: string
}
/** A file, or an image in a layer. */
export type ImagePlace = string | ImageInLayer

const fileOptions = (prefix: string, path: string): string =>
  `${prefix}.driver=file,${prefix}.filename=${path.replaceAll(',', ',,')}`

/**
 * An image as `--image-opts`, so that no part of its name is taken for a protocol. The layer of an
 * image may be open for reading at the same time.
 * @param format the format is always given: QEMU must never guess it from bytes of a guest
 */
function imageOptions(place: ImagePlace | RestingLayer, format: string): string {
  if (typeof place === 'string') return `driver=${format},${fileOptions('file', place)}`
  if ('shared' in place) {
    return `driver=${format},force-share=on,${fileOptions('file', place.shared)}`
  }
  const { layer, bytes } = place
  const inside = `file.driver=raw,file.size=${bytes},file.file.driver=qcow2`
  return `driver=${format},force-share=on,${inside},${fileOptions('file.file.file', layer)}`
}

interface Opened {
  driver?: string
  filename?: string
  file?: Opened
}

/** The path of the layer whose bytes QEMU means by a name; undefined for other names. */
export function layerIn(name: string): string | undefined {
  if (!name.startsWith('json:')) return undefined
  const opened = JSON.parse(name.slice('json:'.length)) as Opened
  if (opened.driver !== 'raw' || opened.file?.driver !== 'qcow2') return undefined
  return opened.file.file?.filename
}

/** A failure that means a full disk. */
export const meansNoSpace = (error: unknown): boolean =>
  error instanceof ProgramError && error.errors.includes('No space left on device')
/** A failure because another process has the image open. */
export const meansInUse = (error: unknown): boolean =>
  error instanceof ProgramError && /Failed to get .*lock/.test(error.errors)

/** An image as `qemu-img info` describes it. */
export interface ImageInfo {
  format: string
  'virtual-size': number
  'backing-filename'?: string
  'full-backing-filename'?: string
  encrypted?: boolean
  'format-specific'?: { type: string; data: Record<string, unknown> }
}

/** Result of `qemu-img check`. */
export interface ImageCheck {
  'check-errors': number
  corruptions?: number
  leaks?: number
}

/** Makes an image, over whatever the file holds. @param backing name in the same directory */
export const createImage = async (
  path: string,
  { size, backing }: { size: number; backing?: string },
): Promise<void> => {
  const from = backing === undefined ? [] : ['-b', backing, '-F', 'qcow2']
  await img(['create', '-q', '-f', 'qcow2', ...from, path, String(size)], { timeout: 60_000 })
}

/** Reads the header of an image; its backing file is not opened. */
export const imageInfo = async (place: ImagePlace, format: string): Promise<ImageInfo> =>
  JSON.parse(
    await img(['info', '--output=json', '--image-opts', imageOptions(place, format)], inspecting),
  ) as ImageInfo

/** How a whole image is read. */
export interface ReadOptions {
  /** Bytes of an image of a user, which limit the time. */
  bytes?: number
  signal?: AbortSignal
}

/**
 * Checks the structures of an image.
 * @returns undefined if QEMU has no check for the format
 */
export async function checkImage(
  place: ImagePlace,
  format: string,
  { bytes, signal }: ReadOptions = {},
): Promise<ImageCheck | undefined> {
  const args = ['check', '--output=json', '--image-opts', imageOptions(place, format)]
  try {
    return JSON.parse(await img(args, { ...copying(bytes), signal })) as ImageCheck
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    if (error.status === 63) return undefined
    // Corruptions and leaks have exit codes of their own, with the same output.
    if (error.status === 2 || error.status === 3) return JSON.parse(error.output) as ImageCheck
    // The check could not even be completed.
    if (error.status === 1 && !meansInUse(error)) return { 'check-errors': 1 }
    throw error
  }
}

/** Bytes that a copy of an image as qcow2 takes at most. */
export async function copyBytes(
  place: ImagePlace | RestingLayer,
  format: string,
  { bytes, signal }: ReadOptions = {},
): Promise<number> {
  const args = ['measure', '--output=json', '-O', 'qcow2', '--image-opts']
  const text = await img([...args, imageOptions(place, format)], { ...copying(bytes), signal })
  return (JSON.parse(text) as { required: number }).required
}

export interface CopyOptions extends ReadOptions {
  /** Called with the part that is done, 0 to 1. */
  progress?: (part: number) => void
}

/** Copies all bytes of an image, with those of its backing files, to a new qcow2 file. */
export async function copyImage(
  place: ImagePlace | RestingLayer,
  format: string,
  target: string,
  { bytes, signal, progress }: CopyOptions = {},
): Promise<void> {
  await img(['convert', '-p', '--image-opts', imageOptions(place, format), '-O', 'qcow2', target], {
    ...copying(bytes),
    signal,
    onOutput(text) {
      const percent = /\(([\d.]+)\/100%\)\s*$/.exec(text)?.[1]
      if (percent !== undefined) progress?.(Number(percent) / 100)
    },
  })
}

/** Makes an image larger. @param size bytes */
export const growImage = async (path: string, size: number): Promise<void> => {
  await img(['resize', '-q', '-f', 'qcow2', path, String(size)], { timeout: 60_000 })
}

/** Extents of an image, as an NBD server at a Unix socket knows them. */
export interface MapExtent {
  start: number
  length: number
  /** Whether it reads as zeros. */
  zero: boolean
}

/** @param socket name in the directory `cwd` */
export async function mapExport(socket: string, cwd: string): Promise<MapExtent[]> {
  const url = `nbd+unix:///?socket=/proc/self/cwd/${socket}`
  const text = await img(['map', '--output=json', '-f', 'raw', url], { ...copying(), cwd })
  return JSON.parse(text) as MapExtent[]
}
