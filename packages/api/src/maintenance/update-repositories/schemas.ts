import { SHORT_TEXT_MAX } from '../../rules/limits.ts'
import { systemVersionPattern, systemVersionProblem } from '../updates/rules.ts'
import {
  answerText,
  dateTime,
  list,
  named,
  oneOf,
  record,
  shortText,
  string,
  text,
  uint64,
  uuid,
} from '../../schema.ts'
import { ByteExtent } from '../../storage/disks/schemas.ts'

export const SystemVersion = text(
  SHORT_TEXT_MAX,
  { pattern: systemVersionPattern },
  systemVersionProblem,
)

export const TufRepo = record('TufRepo', {
  file_name: string,
  hash: answerText({ format: 'hex string (32 bytes)' }),
  system_version: SystemVersion,
  time_created: dateTime,
})

export const TufRepoUpload = record('TufRepoUpload', {
  repo: TufRepo,
  status: named('TufRepoUploadStatus', oneOf('already_exists', 'inserted')),
})

const uploadFields = { file_name: shortText, size: uint64 }
export const UpdateUploadCreate = record('UpdateUploadCreate', uploadFields)
/** A repository upload in progress. */
export const UpdateUpload = record('UpdateUpload', {
  id: uuid,
  ...uploadFields,
  /** Extents received so far. */
  written: list(ByteExtent),
  time_created: dateTime,
  time_modified: dateTime,
})
