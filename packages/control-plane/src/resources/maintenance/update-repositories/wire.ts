import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import type { Volumes } from '../../../kernel/ports/volumes.ts'

export const toWireRepository = (row: Row<'update_repository'>): Wire.TufRepo => ({
  file_name: row.file_name,
  hash: row.hash,
  system_version: row.name,
  time_created: row.time_created,
})

export const toWireUpload = async (
  volumes: Volumes,
  row: Row<'update_upload'>,
): Promise<Wire.UpdateUpload> => ({
  id: row.id,
  file_name: row.file_name,
  size: row.size,
  written: await volumes.written(row.id),
  time_created: row.time_created,
  time_modified: row.time_modified,
})

/** Id and name of an upload for events and messages. */
export const namedUpload = ({ id, file_name }: Row<'update_upload'>) => ({ id, name: file_name })
