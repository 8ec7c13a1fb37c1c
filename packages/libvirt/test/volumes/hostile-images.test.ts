/** Small images whose tables would keep QEMU busy for hours, and images deleted during conversion. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { imageProblems } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { inspectImage } from '../../src/volumes/formats.ts'
import { tableProblem } from '../../src/volumes/image-tables.ts'
import { bytesOf, layerFilesIn, startVolumes, volumesMissing } from '../support/volumes.ts'

const MiB = 1024 * 1024
const missing = await volumesMissing()

describe.skipIf(missing)('hostile images', () => {
  let home: string
  const at = (name: string) => join(home, name)
  beforeAll(async () => void (home = await mkdtemp(join(tmpdir(), 'steading-hostile-'))))
  afterAll(() => rm(home, { recursive: true, force: true }))
  const create = (name: string, format: string, size: string, ...options: string[]) =>
    execFileSync('qemu-img', ['create', '-q', '-f', format, ...options, at(name), size])

  /** Writes numbers over the bytes of a file. */
  async function patch(name: string, bytes: Record<number, Buffer>): Promise<string> {
    const file = await open(at(name), 'r+')
    for (const [offset, data] of Object.entries(bytes)) {
      await file.write(data, 0, data.length, Number(offset))
    }
    await file.close()
    return at(name)
  }
  const be = (value: number, length = 8): Buffer => {
    const data = Buffer.alloc(length)
    if (length === 8) data.writeBigUInt64BE(BigInt(value))
    else data.writeUInt32BE(value)
    return data
  }
  const le = (value: number): Buffer => Buffer.from(be(value).toReversed())

  const hostile: [string, () => Promise<string>, string][] = [
    [
      'a qcow2 with 4 million entries for one table',
      async () => {
        create('l1.qcow2', 'qcow2', '128G')
        const entries = 4 * MiB
        const table = Buffer.alloc(entries * 8, be(0x40000))
        return patch('l1.qcow2', { 36: be(entries, 4), 40: be(MiB), [MiB]: table })
      },
      imageProblems.damaged,
    ],
    [
      'a qcow2 whose table is too small for its disk',
      async () => {
        create('small.qcow2', 'qcow2', '1M')
        return patch('small.qcow2', { 24: be(2 ** 40) })
      },
      imageProblems.damaged,
    ],
    [
      'a qcow2 whose table is not in the file',
      async () => {
        create('cut.qcow2', 'qcow2', '1G')
        return patch('cut.qcow2', { 40: be(2 ** 30) })
      },
      imageProblems.truncated,
    ],
    [
      'a vmdk with more entries than it has bytes',
      async () => {
        create('wide.vmdk', 'vmdk', '1M')
        return patch('wide.vmdk', { 12: le(2 ** 36) })
      },
      imageProblems.damaged,
    ],
    [
      'a vmdk with grains of one sector',
      async () => {
        create('fine.vmdk', 'vmdk', '1M')
        return patch('fine.vmdk', { 20: le(1) })
      },
      imageProblems.damaged,
    ],
    [
      'a vhdx that ends within its table',
      async () => {
        create('cut.vhdx', 'vhdx', '1G')
        await truncate(at('cut.vhdx'), 2 * MiB + 4096)
        return at('cut.vhdx')
      },
      imageProblems.damaged,
    ],
  ]
  test.each(hostile)('%s is refused before QEMU reads it', async (_, make, problem) => {
    const path = await make()
    const bytes = await readFile(path)
    const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length)
    const format = path.split('.').at(-1) as 'qcow2'
    expect(await tableProblem(format, read, bytes.length)).toBe(problem)
    await expect(inspectImage(path)).rejects.toThrow(problem)
  })

  test('the deletion of a volume ends the conversion of its image, and leaves nothing', async () => {
    await writeFile(at('disk.raw'), bytesOf(3, 8 * MiB))
    execFileSync('qemu-img', ['convert', '-O', 'qcow2', at('disk.raw'), at('disk.qcow2')])
    const { volumes, directory, remove } = await startVolumes()
    onTestFinished(remove)
    const id = crypto.randomUUID()
    await volumes.create(id, { size: 64 * MiB, blockSize: 512 }, 1)
    await volumes.write(id, 0, await readFile(at('disk.qcow2')))
    const conversion = volumes.images!.convert(id, { owner: 'silo' })
    await volumes.delete(id, 1)
    // It may also have been too late to begin.
    await conversion.catch(() => {})
    expect(await layerFilesIn(directory)).toEqual([])
  })
})
