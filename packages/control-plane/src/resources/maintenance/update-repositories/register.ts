/** Turns a complete upload into a release, if its contents are valid. */
import type { Wire } from '@steading/api'
import { requiredArtifacts, systemVersionProblem, updateMessages } from '@steading/api/rules'
import {
  type Artifact,
  readRepository,
  type Repository,
  type Source,
  TufProblem,
} from '@steading/tuf'
import { withLease } from '../../../kernel/db/leases.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { type Work, writingIn } from '../../../kernel/work.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { removeUpload, type Upload } from './uploads.ts'
import { toWireRepository } from './kind.ts'
import { trustRootDocument } from '../trust-roots/kind.ts'

export type Registering = Pick<Work, 'services' | 'now' | 'actor' | 'audit'>

/** Bytes per read. */
const READ_BYTES = 1024 * 1024

const sourceOf = ({ services }: Registering, { id, size }: Upload): Source => ({
  size,
  read: (offset, length) => services.volumes.read(id, offset, length),
})

async function hashOf({ services }: Registering, source: Source): Promise<string> {
  const sum = services.native.sha256()
  for (let at = 0; at < source.size; at += READ_BYTES) {
    sum.update(await source.read(at, Math.min(READ_BYTES, source.size - at)))
  }
  return sum.digest()
}

/** @throws ApiError 400 with the first fault */
async function verify({ services, now }: Registering, source: Source): Promise<Repository> {
  const rows = await rowsOf(services.database.db, 'trust_root')
    .select('its.root')
    .orderBy('its.time_created', 'desc')
    .execute()
  try {
    const repository = await readRepository(source, {
      trustRoots: rows.map(({ root }) => trustRootDocument.read(root)),
      now,
      digest: services.native.sha256,
    })
    const { systemVersion, artifacts } = repository
    if (systemVersionProblem(systemVersion)) {
      throw new TufProblem(updateMessages.badVersion(systemVersion))
    }
    const kinds = new Set(artifacts.map(({ kind }) => kind))
    const missing = requiredArtifacts.filter((kind) => !kinds.has(kind))
    if (missing.length > 0) throw new TufProblem(updateMessages.missingArtifacts(missing))
    return repository
  } catch (error) {
    if (!(error instanceof TufProblem)) throw error
    throw fail.invalidRequest(`The repository cannot be used: ${error.message}`)
  }
}

const byKindAndName = ({ kind, name }: Artifact) => `${kind}/${name}`

/**
 * Writes a release, unless one of its version exists.
 * @returns undefined if that one has the same contents
 * @throws ApiError 409 if it has other contents
 */
async function insert(
  { db, emit, now }: Pick<Work, 'db' | 'emit' | 'now'>,
  upload: Upload,
  hash: string,
  { systemVersion, artifacts }: Repository,
): Promise<Row<'update_repository'> | undefined> {
  const existing = await withVersion(db, systemVersion)
  if (existing?.hash === hash) return undefined
  if (existing) {
    throw fail.conflict(updateMessages.otherHash(systemVersion, hash, existing.hash))
  }
  const { id, fleet_id, file_name, size } = upload
  const repository = {
    id,
    fleet_id,
    name: systemVersion,
    hash,
    file_name,
    size,
    time_created: now.toISOString(),
    time_pruned: null,
  }
  await db.insertInto('update_repository').values(repository).execute()
  const different = new Map(artifacts.map((artifact) => [byKindAndName(artifact), artifact]))
  await db
    .insertInto('update_artifact')
    .values(
      [...different.values()].map(({ name, kind, version, sha256, length }) => ({
        repository_id: id,
        name,
        kind,
        version,
        hash: sha256,
        size: length,
      })),
    )
    .execute()
  await emit('update_repository', 'create', repository)
  return repository
}

const withVersion = (db: Db, version: string) =>
  rowsOf(db, 'update_repository')
    .selectAll('its')
    .where('its.name', '=', version)
    .executeTakeFirst()

const withHash = (db: Db, hash: string) =>
  rowsOf(db, 'update_repository').selectAll('its').where('its.hash', '=', hash).executeTakeFirst()

/** Forbids writes to an upload, or allows them again. */
const seal = ({ services }: Registering, { id }: Upload, sealed: 0 | 1) =>
  services.database.db.updateTable('update_upload').set({ sealed }).where('id', '=', id).execute()

/**
 * Verifies an upload and turns it into a release. A refused upload can be finished again, once
 * there is a trust root for it.
 * @throws ApiError 400 for an unusable repository, 409 for another one of its version
 */
export async function registerUpload(
  work: Registering,
  upload: Upload,
): Promise<Wire.TufRepoUpload> {
  const { database, imports, volumes } = work.services
  const result = await withLease(database, `update upload ${upload.id}`, async () => {
    await seal(work, upload, 1)
    try {
      await imports.drained(upload.id)
      return await register(work, upload)
    } catch (error) {
      const still = await findRow(database.db, 'update_upload', upload.id, 'id')
      // It was deleted meanwhile, and its bytes with it.
      if (!still) throw fail.notFoundById('update-upload', upload.id)
      throw error
    } finally {
      await seal(work, upload, 0)
    }
  })
  if (!result) throw fail.conflict(updateMessages.finishing)
  if (result.status === 'inserted') await volumes.seal(upload.id)
  else await volumes.delete(upload.id)
  return result
}

async function register(work: Registering, upload: Upload): Promise<Wire.TufRepoUpload> {
  const { services, now, actor, audit } = work
  const { database, volumes } = services
  const written = await volumes.written(upload.id)
  const missing = written.reduce((left, { length }) => left - length, upload.size)
  if (missing > 0) throw fail.invalidRequest(updateMessages.incomplete(missing))
  const source = sourceOf(work, upload)
  const hash = await hashOf(work, source)
  const known = await withHash(database.db, hash)
  const repository = known ? undefined : await verify(work, source)
  return database.transaction(async (tx) => {
    const writing = writingIn(tx, now, actor, audit)
    if (!(await removeUpload(writing, upload))) throw fail.notFoundById('update-upload', upload.id)
    const inserted = repository && (await insert(writing, upload, hash, repository))
    return inserted
      ? { repo: toWireRepository(inserted), status: 'inserted' }
      : { repo: toWireRepository((await withHash(tx, hash))!), status: 'already_exists' }
  })
}
