/** Bytes of disks, in and out. */
import type { Wire } from '@steading/api'
import { expect } from 'vitest'
import type { Caller } from './caller.ts'
import { blankDisk, until } from './things.ts'

const CHUNK = 512 * 1024

/** A disk of 1 GiB that takes chunks. */
export async function importingDisk(
  caller: Caller,
  project: string,
  name: string,
): Promise<Wire.Disk> {
  const disk_source = { type: 'importing_blocks', block_size: 512 }
  const disk = await caller.call('disk_create', {
    query: { project },
    body: blankDisk(name, { disk_backend: { type: 'distributed', disk_source } }),
  })
  // On a busy machine a create may answer before the disk exists.
  await until(
    () => caller.call('disk_view', { params: { disk: disk.id } }),
    ({ state }) => expect(state.state).toBe('import_ready'),
  )
  await caller.call('disk_bulk_write_import_start', { params: { disk: disk.id } })
  return disk
}

export const write = (caller: Caller, disk: string, offset: number, data: Buffer) =>
  caller.call('disk_bulk_write_import', {
    params: { disk },
    body: { offset, base64_encoded_data: data.toString('base64') },
  })

/** A finished disk with the given bytes, sent in chunks all at once and in reverse order. */
export async function importedDisk(
  caller: Caller,
  project: string,
  name: string,
  data: Buffer,
  snapshot_name?: string,
): Promise<Wire.Disk> {
  const { id } = await importingDisk(caller, project, name)
  const offsets = Array.from({ length: Math.ceil(data.length / CHUNK) }, (_, i) => i * CHUNK)
  await Promise.all(
    offsets
      .toReversed()
      .map((offset) => write(caller, id, offset, data.subarray(offset, offset + CHUNK))),
  )
  await caller.call('disk_bulk_write_import_stop', { params: { disk: id } })
  await caller.call('disk_finalize_import', { params: { disk: id }, body: { snapshot_name } })
  // The call may answer while the disk is still being finalized.
  return until(
    () => caller.call('disk_view', { params: { disk: id } }),
    ({ state }) => expect(state.state).toBe('detached'),
  )
}

/** Some bytes of a disk or snapshot. */
export async function contentsOf(
  caller: Caller,
  kind: 'disks' | 'snapshots',
  id: string,
  offset: number,
  length: number,
): Promise<Buffer> {
  const response = await caller.fetch(`/x/v1/${kind}/${id}/contents`, {
    headers: { range: `bytes=${offset}-${offset + length - 1}` },
  })
  if (response.status !== 206) throw new Error(`the download was answered with ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
