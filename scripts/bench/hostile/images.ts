/** Hostile images at the end of their upload. They need an engine that converts images. */
import { GiB, RAW_CHUNK_MAX } from '../../../packages/api/src/rules.ts'
import { type Load, PROJECT, reached, type World } from './world.ts'

const CLUSTER = 64 * 1024
/** Entries of the first table: as many as QEMU opens. */
const ENTRIES = 4 * 1024 * 1024

/**
 * A qcow2 image of 34 MiB, all of whose four million tables are the same one, so that a complete
 * check reads each of them.
 */
function imageOfTables(): Buffer {
  const table = 4 * CLUSTER
  const second = table + ENTRIES * 8
  const image = Buffer.alloc(second + CLUSTER)
  image.write('QFI\xfb', 0, 'latin1')
  image.writeUInt32BE(3, 4)
  image.writeUInt32BE(16, 20)
  // Two tables are enough for it.
  image.writeBigUInt64BE(BigInt(GiB), 24)
  image.writeUInt32BE(ENTRIES, 36)
  image.writeBigUInt64BE(BigInt(table), 40)
  image.writeBigUInt64BE(BigInt(CLUSTER), 48)
  image.writeUInt32BE(1, 56)
  image.writeUInt32BE(4, 96)
  image.writeUInt32BE(104, 100)
  image.writeBigUInt64BE(BigInt(2 * CLUSTER), CLUSTER)
  for (let cluster = 0; cluster < image.length / CLUSTER; cluster++) {
    image.writeUInt16BE(1, 2 * CLUSTER + 2 * cluster)
  }
  for (let entry = 0; entry < ENTRIES; entry++) {
    image.writeBigUInt64BE(BigInt(second), table + 8 * entry)
  }
  return image
}

const names = ['tables-1', 'tables-2']
/** Path of a disk. */
export const diskPath = (name: string, action = '') =>
  `/v1/disks/${name}${action}?project=${PROJECT}`

/** Uploads an image to a new disk. */
export async function upload(
  { url, attacker, attackerCookie }: World,
  name: string,
  image: Buffer,
) {
  const disk_source = { type: 'importing_blocks', block_size: 512 }
  await attacker('POST', `/v1/disks?project=${PROJECT}`, {
    name,
    description: '',
    size: GiB,
    disk_backend: { type: 'distributed', disk_source },
  })
  const state = async () => (await attacker('GET', diskPath(name))).body.state?.state
  await reached(`the disk ${name}`, async () => (await state()) === 'import_ready')
  await attacker('POST', diskPath(name, '/bulk-write-start'))
  for (let offset = 0; offset < image.length; offset += RAW_CHUNK_MAX) {
    await fetch(`${url}/x${diskPath(name, '/contents')}&offset=${offset}`, {
      method: 'PUT',
      headers: { cookie: attackerCookie, 'content-type': 'application/octet-stream' },
      body: Uint8Array.from(image.subarray(offset, offset + RAW_CHUNK_MAX)),
    })
  }
  await attacker('POST', diskPath(name, '/bulk-write-stop'))
}

const isOver = (state: string) => ['detached', 'faulted'].includes(state)

export const hostileImages: Load = {
  async prepare(world) {
    if (world.engine === 'simulated') return
    const image = imageOfTables()
    for (const name of names) await upload(world, name, image)
  },
  async apply({ attacker, engine }, signal) {
    if (engine === 'simulated') return 'the simulator converts no images'
    for (const name of names) await attacker('POST', diskPath(name, '/finalize'), {})
    const began = performance.now()
    let states: string[] = []
    const areOver = async () => {
      states = await Promise.all(
        names.map(async (name) =>
          String((await attacker('GET', diskPath(name))).body.state?.state),
        ),
      )
      return states.every(isOver)
    }
    await reached('the end of the conversions', areOver, signal)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    return `${states.join(', ')} after ${seconds} s`
  },
  async clear({ attacker, engine }) {
    if (engine === 'simulated') return
    for (const name of names) await attacker('DELETE', diskPath(name))
  },
}
