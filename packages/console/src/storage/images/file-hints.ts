import {
  CD_BLOCK_SIZE,
  IMAGE_HEAD_BYTES,
  isCdImage,
  partitionedBlockSize,
  type ReadImage,
} from '@steading/api/rules'

/** Hints about a file from its first blocks and its name. */
export type FileHints = {
  /** Offset of the GUID partition table's header, which is in the second block. */
  efiAt: number | undefined
  /** Whether it has the signature of a CD image. */
  isCd: boolean
  /** The extension of a compressed file, e.g. `.gz`. */
  compressedAs: string | undefined
}

/** Reads parts of a file for the rules about images. */
export const readingFrom =
  (file: Blob): ReadImage =>
  async (offset, length) =>
    new Uint8Array(await file.slice(offset, offset + length).arrayBuffer())

export async function readFileHints(file: File): Promise<FileHints> {
  const head = await readingFrom(file)(0, IMAGE_HEAD_BYTES)
  return {
    efiAt: partitionedBlockSize(head),
    isCd: isCdImage(head),
    compressedAs: /\.(gz|xz|zst|bz2|zip|7z|ova|tar|qcow2|vmdk)$/i
      .exec(file.name)?.[0]
      .toLowerCase(),
  }
}

/** Why the chosen block size looks wrong, if it does. */
export function blockSizeHint({ efiAt, isCd }: FileHints, blockSize: number): string | undefined {
  // A CD that also boots as a disk can be either.
  if (isCd && blockSize === CD_BLOCK_SIZE) return undefined
  if (efiAt !== undefined) {
    return efiAt === blockSize
      ? undefined
      : `Its partition table begins at byte ${efiAt}, which is where it is on a disk with blocks of ${efiAt} bytes. The chosen size is ${blockSize}.`
  }
  return isCd
    ? `It looks like a CD image. CDs have blocks of ${CD_BLOCK_SIZE} bytes; the chosen size is ${blockSize}.`
    : undefined
}

/** Why an instance might not boot from the file. */
export function bootableHints({ efiAt, isCd, compressedAs }: FileHints): string[] {
  const hints: string[] = []
  if (compressedAs) {
    hints.push(`The name ends in ${compressedAs}, so it is probably compressed or not a raw image.`)
  }
  if (efiAt === undefined && !isCd) {
    hints.push('It has neither an EFI partition table nor the signature of a CD image.')
  }
  return hints
}
