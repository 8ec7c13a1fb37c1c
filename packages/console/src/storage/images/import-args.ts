import type { Args, Disk } from '@steading/api/client'
import { GiB } from '@steading/api/rules'
import { uint8ArrayToHex } from 'uint8array-extras'
import type { ImageValues } from './upload-state.ts'

/** Prefix of the names of temporary disks. */
export const TEMPORARY_DISK = 'tmp-for-image-'
const TEMPORARY_SNAPSHOT = 'tmp-snapshot-'

/** The names of the temporary disk and snapshot of an upload. */
export type TemporaryNames = { name: string; snapshotName: string }

const random = () => uint8ArrayToHex(crypto.getRandomValues(new Uint8Array(4)))

export const temporaryNames = (): TemporaryNames => ({
  name: `${TEMPORARY_DISK}${random()}`,
  snapshotName: `${TEMPORARY_SNAPSHOT}${random()}`,
})

/** The names of an upload that is resumed. */
export const namesOfImport = ({ name }: Pick<Disk, 'name'>): TemporaryNames => ({
  name,
  snapshotName: name.replace(TEMPORARY_DISK, TEMPORARY_SNAPSHOT),
})

type ImportDisk = {
  name: string
  fileName: string
  /** Bytes of the file, or of the disk in it if that is larger. */
  size: number
  blockSize: Disk['blockSize']
}

/** The temporary disk that a file is written to. */
export const importDiskArgs = (
  project: string,
  { name, fileName, size, blockSize }: ImportDisk,
): Args<'diskCreate'> => ({
  query: { project },
  body: {
    name,
    description: `Temporary disk for importing ${fileName}`.slice(0, 512),
    size: Math.max(1, Math.ceil(size / GiB)) * GiB,
    diskBackend: { type: 'distributed', diskSource: { type: 'importing_blocks', blockSize } },
  },
})

export const imageCreateArgs = (
  project: string,
  { name, description, os, version }: ImageValues,
  snapshotId: string,
): Args<'imageCreate'> => ({
  query: { project },
  body: { name, description, os, version, source: { type: 'snapshot', id: snapshotId } },
})
