/** Bulk writes of imports against `qemu-img convert`, which syncs once at its end. */
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../median.ts'
import type { BenchEngine } from './engine.ts'

const MiB = 1024 * 1024
const SIZE = 128 * MiB
const CHUNK = MiB / 2
const ROUNDS = 5

/** Milliseconds until all chunks are durable, some of them written at once. */
async function writeAll({ engines }: BenchEngine, bytes: Uint8Array, atOnce: number) {
  const { volumes } = engines
  const id = crypto.randomUUID()
  await volumes.create(id, { size: SIZE, blockSize: 512 }, 1)
  const began = performance.now()
  let next = 0
  const writer = async () => {
    while (next < SIZE) {
      const at = next
      next += CHUNK
      await volumes.write(id, at, bytes.subarray(at, at + CHUNK))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, writer))
  const took = performance.now() - began
  await volumes.delete(id)
  return took
}

function convert(from: string, to: string): number {
  const began = performance.now()
  // Otherwise the converted file is left to the cache of the host.
  execFileSync('qemu-img', ['convert', '-t', 'writeback', '-f', 'raw', '-O', 'qcow2', from, to])
  execFileSync('sync', [to])
  return performance.now() - began
}

/** Writing a whole disk, chunk by chunk as an upload does. */
export async function writeFigures(bench: BenchEngine): Promise<void> {
  const bytes = randomFillSync(new Uint8Array(SIZE))
  const raw = join(bench.data, 'raw')
  writeFileSync(raw, bytes)
  const times = { one: [] as number[], eight: [] as number[], plain: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    times.plain.push(convert(raw, join(bench.data, 'converted')))
    times.one.push(await writeAll(bench, bytes, 1))
    times.eight.push(await writeAll(bench, bytes, 8))
  }
  const rate = (ms: number) => `${(SIZE / MiB / (ms / 1000)).toFixed(0)} MiB/s`
  const plain = median(times.plain)
  for (const [words, all] of [
    ['one chunk at once', times.one],
    ['eight at once', times.eight],
  ] as const) {
    const ours = median(all)
    console.log(
      `writing a disk, ${words}: ${rate(ours)}, ${(ours / (SIZE / CHUNK)).toFixed(1)} ms a chunk; qemu-img convert ${rate(plain)}, ratio of the speeds ${(plain / ours).toFixed(2)}`,
    )
  }
}
