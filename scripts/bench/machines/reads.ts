/** Reads of volumes against `qemu-img convert`, and of chains of snapshots. */
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import { readPieces } from '../../../packages/control-plane/src/resources/storage/disks/contents.ts'
import { median } from '../median.ts'
import type { BenchEngine } from './engine.ts'

const MiB = 1024 * 1024
const SIZE = 256 * MiB
const PIECE = MiB
const SNAPSHOTS = 50
const ROUNDS = 5

async function measure(action: () => unknown): Promise<number> {
  const began = performance.now()
  await action()
  return performance.now() - began
}

async function makeVolume({ engines }: BenchEngine, size: number): Promise<string> {
  const id = crypto.randomUUID()
  await engines.volumes.create(id, { size, blockSize: 512 }, 1)
  const bytes = new Uint8Array(PIECE)
  for (let at = 0; at < size; at += PIECE)
    await engines.volumes.write(id, at, randomFillSync(bytes))
  return id
}

/** Reads as a download does. */
async function readAll({ engines }: BenchEngine, id: string, size: number): Promise<void> {
  let bytes = 0
  for await (const piece of readPieces(engines, { volumeId: id }, 0, size)) bytes += piece.length
  if (bytes !== size) throw new Error(`${bytes} bytes of ${size} were read.`)
}

/** Reading a whole disk: by the volumes of the engine, and by `qemu-img convert` into a raw file. */
export async function readFigures(bench: BenchEngine): Promise<void> {
  const id = await makeVolume(bench, SIZE)
  const file = await bench.fileOf(id)
  const raw = join(bench.data, 'raw')
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await measure(() => readAll(bench, id, SIZE)))
    const convert = ['convert', '-U', '-O', 'raw', file, raw]
    plain.push(await measure(() => execFileSync('qemu-img', convert)))
  }
  const rate = (ms: number) => `${(SIZE / MiB / (ms / 1000)).toFixed(0)} MiB/s`
  const [a, b] = [median(ours), median(plain)]
  console.log(
    `reading a disk: ${rate(a)}, qemu-img convert ${rate(b)}, ratio of the times ${(a / b).toFixed(2)}`,
  )
  await bench.engines.volumes.delete(id)
}

/** Reads of a disk with many snapshots: at once, after flattening, and of one without any. */
export async function chainFigures(bench: BenchEngine): Promise<void> {
  const { volumes } = bench.engines
  const size = 64 * MiB
  const [chain, single] = [await makeVolume(bench, size), await makeVolume(bench, size)]
  const bytes = new Uint8Array(PIECE)
  const snapshots: string[] = []
  const taken = await measure(async () => {
    for (let taken = 0; taken < SNAPSHOTS; taken++) {
      const id = crypto.randomUUID()
      await volumes.createSnapshot(id, chain, 1)
      snapshots.push(id)
      await volumes.write(chain, (taken * PIECE) % size, randomFillSync(bytes))
    }
  })
  const reading = async (id: string) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      times.push(await measure(() => readAll(bench, id, size)))
    }
    return median(times)
  }
  await bench.flattened()
  const [long, short] = [await reading(chain), await reading(single)]
  console.log(
    `${SNAPSHOTS} snapshots in ${(taken / 1000).toFixed(1)} s; reading the disk after flattening takes ${(long / short).toFixed(2)} of a disk without any`,
  )
  for (const id of snapshots) await volumes.deleteSnapshot(id)
  for (const id of [chain, single]) await volumes.delete(id)
}
