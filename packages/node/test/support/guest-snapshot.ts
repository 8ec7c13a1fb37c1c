/** Disks of guests that boot, imported as users do. */
import type { Wire } from '@steading/api'
import { GiB } from '@steading/api/rules'
import { expect } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'

/**
 * Imports a boot sector into a disk, and takes a snapshot of it.
 * @returns the source of the boot disks of instances
 */
export async function importGuest(
  call: <T>(method: string, path: string, body?: object) => Promise<T>,
  sector: Uint8Array,
): Promise<object> {
  const { id } = await call<Wire.Disk>('POST', '/v1/disks?project=work', {
    name: 'guest',
    description: '',
    size: GiB,
    disk_backend: {
      type: 'distributed',
      disk_source: { type: 'importing_blocks', block_size: 512 },
    },
  })
  const at = (action: string) => `/v1/disks/${id}/${action}`
  await until(
    () => call<Wire.Disk>('GET', `/v1/disks/${id}`),
    ({ state }) => expect(state.state).toBe('import_ready'),
  )
  await call('POST', at('bulk-write-start'))
  const base64_encoded_data = Buffer.from(sector).toString('base64')
  await call('POST', at('bulk-write'), { offset: 0, base64_encoded_data })
  await call('POST', at('bulk-write-stop'))
  await call('POST', at('finalize'), { snapshot_name: 'guest' })
  const snapshot = await until(
    () => call<Wire.Snapshot>('GET', '/v1/snapshots/guest?project=work'),
    ({ state }) => expect(state).toBe('ready'),
  )
  return { type: 'snapshot', snapshot_id: snapshot.id }
}
