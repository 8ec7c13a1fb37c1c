import { ListedKind } from '../find/schemas.ts'
import type { Operation } from '../../operation.ts'
import { text, uuid } from '../../schema.ts'
import { Note, NoteReplace, NoteVersion, NoteVersions } from './schemas.ts'

const tags = ['extensions']
const params = { kind: ListedKind, thing: uuid }

const VersionNumber = text(10, { pattern: '^[1-9][0-9]{0,9}$' }, (value) =>
  /^[1-9][0-9]{0,9}$/.test(value) ? undefined : 'version is a number',
)

/** Notes of resources of all kinds with a list in `/x/v1`, with the permissions of tags. */
export const noteOperations = {
  note_view: {
    method: 'GET',
    path: '/x/v1/notes/{kind}/{thing}',
    tags,
    summary: 'Show the note of a resource',
    permission: 'session',
    evenIfLimited: true,
    params,
    success: { status: 200, schema: Note },
  },
  note_replace: {
    method: 'PUT',
    path: '/x/v1/notes/{kind}/{thing}',
    tags,
    summary: 'Replace the note of a resource',
    permission: 'session',
    evenIfLimited: true,
    params,
    body: NoteReplace,
    success: { status: 200, schema: Note },
    changes: ['note_version_list'],
  },
  note_version_list: {
    method: 'GET',
    path: '/x/v1/notes/{kind}/{thing}/versions',
    tags,
    summary: 'List the versions of a note, the newest first',
    permission: 'session',
    evenIfLimited: true,
    params,
    success: { status: 200, schema: NoteVersions },
  },
  note_version_view: {
    method: 'GET',
    path: '/x/v1/notes/{kind}/{thing}/versions/{version}',
    tags,
    summary: 'Show a version of a note',
    permission: 'session',
    evenIfLimited: true,
    params: { ...params, version: VersionNumber },
    success: { status: 200, schema: NoteVersion },
  },
} as const satisfies Record<string, Operation>
