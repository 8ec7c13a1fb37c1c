import type { Selectable } from 'kysely'
import type { ImageDownloadTable } from '../../src/resources/storage/image-downloads/kind.ts'
import { unclaimed } from '../../src/kernel/db/leases.ts'
import type { TestServer } from './harness.ts'

/** An address that no server connects to. */
export const CLOSED_URL = 'http://127.0.0.1:1/image.raw'

export const downloadBody = (name: string, values: object = {}) => ({
  name,
  description: '',
  os: 'Plan 9',
  version: '4',
  url: CLOSED_URL,
  ...values,
})

/** A download inserted directly into the database, which the reconciler does not look at. */
export async function addDownload(
  { db, siloId, admin }: TestServer,
  project_id: string,
  values: Partial<Selectable<ImageDownloadTable>> = {},
): Promise<string> {
  const id = crypto.randomUUID()
  const time = new Date().toISOString()
  const { id: author_id } = await admin.call('current_user_view')
  await db
    .insertInto('image_download')
    .values({
      ...downloadBody(`download-${id.slice(0, 8)}`),
      ...unclaimed,
      id,
      project_id,
      silo_id: siloId,
      for_silo: 0,
      raw_disk: 0,
      author_id,
      token_id: null,
      checksum: null,
      block_size: null,
      state: 'downloading',
      disk_id: null,
      snapshot_id: null,
      size: null,
      received: 0,
      furthest: 0,
      validator: null,
      wanted: null,
      attempts: 0,
      problem: null,
      image_id: null,
      time_created: time,
      time_started: time,
      time_finished: null,
      reconcile_at: null,
      ...values,
    })
    .execute()
  return id
}
