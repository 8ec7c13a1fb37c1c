import { storedList, storeList } from '../../ui/stored-list.ts'
import type { ImageValues, ImportDisk } from './upload-state.ts'

/** A running upload as stored by this browser, to resume it after a reload. */
export type RememberedUpload = {
  project: string
  disk: ImportDisk
  fileName: string
  fileSize: number
  lastModified: number
  blockSize: number
  values: ImageValues
}

const KEY = 'image-uploads'

export const rememberedUploads = (): RememberedUpload[] => storedList(KEY) as RememberedUpload[]

/** Without storage, an upload cannot be resumed after a reload. */
const keep = (uploads: RememberedUpload[]): void => storeList(KEY, uploads)

const others = (id: string) => rememberedUploads().filter(({ disk }) => disk.id !== id)

export const rememberedUpload = (id: string): RememberedUpload | undefined =>
  rememberedUploads().find(({ disk }) => disk.id === id)

export const rememberUpload = (upload: RememberedUpload): void =>
  keep([...others(upload.disk.id), upload])

export const forgetUpload = (id: string): void => keep(others(id))

const lockName = (id: string) => `image-upload:${id}`

/**
 * Takes a lock that shows other tabs that this one writes the disk. @returns a function that
 * releases it
 */
export function holdUpload(id: string): () => void {
  const held = Promise.withResolvers<void>()
  void navigator.locks?.request(lockName(id), () => held.promise)
  return held.resolve
}

/** Whether a tab of this browser is writing the disk. */
export async function isUploading(id: string): Promise<boolean> {
  const locks = await navigator.locks?.query()
  return locks?.held?.some(({ name }) => name === lockName(id)) ?? false
}
