/** Images of users: recognised, converted, and refused if they are not complete in themselves. */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ImageFormat, imageProblems, recogniseImage } from '@steading/api/rules'
import { NoSpaceError } from '@steading/control-plane/ports'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convertImage, inspectImage, UnusableImageError } from '../../src/volumes/formats.ts'
import { bytesOf, volumesMissing } from '../support/volumes.ts'

const MiB = 1024 * 1024
const missing = await volumesMissing()

test('takes bytes without a known mark for a raw image', () => {
  const unmarked = fc.uint8Array({ maxLength: 64 }).filter(([first = 0]) => first > 0xfd)
  fc.assert(
    fc.property(unmarked, (head) => {
      expect(recogniseImage(head)).toEqual({ format: 'raw' })
    }),
  )
})

test.each([
  [[0x1f, 0x8b, 8], 'compressed by gzip'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'compressed by xz'],
  [[...Buffer.from('# Disk DescriptorFile\n')], 'a VMDK descriptor'],
  [[...Buffer.from('QFI'), 0xfb, 0, 0, 0, 1], 'a qcow image of an unknown version'],
])('names what is no image: %j', (head, name) => {
  expect(recogniseImage(Uint8Array.from(head))).toEqual({ problem: expect.stringContaining(name) })
})

describe.skipIf(missing)('images', () => {
  let home: string
  let raw: Uint8Array
  const at = (name: string) => join(home, name)
  const make = (name: string, ...args: string[]) =>
    execFileSync('qemu-img', ['convert', '-f', 'raw', ...args, at('disk.raw'), at(name)])
  /** Changes bytes of a copy of an image. */
  async function changed(
    name: string,
    from: string,
    change: (file: Awaited<ReturnType<typeof open>>) => Promise<unknown>,
  ): Promise<string> {
    await copyFile(at(from), at(name))
    const file = await open(at(name), 'r+')
    await change(file)
    await file.close()
    return at(name)
  }
  const write =
    (offset: number, ...bytes: number[]) =>
    (file: Awaited<ReturnType<typeof open>>) =>
      file.write(Uint8Array.from(bytes), 0, bytes.length, offset)

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'steading-images-'))
    raw = bytesOf(7, 2 * MiB)
    raw[0] = 0xfe
    await writeFile(at('disk.raw'), raw)
    make('disk.qcow2', '-O', 'qcow2')
    make('compressed.qcow2', '-c', '-O', 'qcow2')
    make('old.qcow2', '-O', 'qcow2', '-o', 'compat=0.10')
    make('disk.vmdk', '-O', 'vmdk')
    make('stream.vmdk', '-O', 'vmdk', '-o', 'subformat=streamOptimized')
    make('disk.vhdx', '-O', 'vhdx')
    const iso = new Uint8Array(64 * 1024)
    iso.set(Buffer.from('\u0001CD001'), 0x80_00)
    new DataView(iso.buffer).setUint32(0x80_00 + 80, 32, true)
    new DataView(iso.buffer).setUint16(0x80_00 + 128, 2048, true)
    await writeFile(at('disk.iso'), iso)
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  test.each<[string, ImageFormat]>([
    ['disk.raw', 'raw'],
    ['disk.qcow2', 'qcow2'],
    ['compressed.qcow2', 'qcow2'],
    ['old.qcow2', 'qcow2'],
    ['disk.vmdk', 'vmdk'],
    ['stream.vmdk', 'vmdk'],
    ['disk.vhdx', 'vhdx'],
    ['disk.iso', 'iso'],
  ])('converts %s', async (name, format) => {
    const target = at(`${name}.converted`)
    const seen: number[] = []
    const found = await convertImage(at(name), target, { progress: (part) => seen.push(part) })
    const expected = format === 'iso' ? new Uint8Array(await readFile(at(name))) : raw
    expect(found).toEqual({ format, size: expected.length })
    expect(seen.at(-1)).toBe(1)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect((await stat(target)).mode & 0o777).toBe(0o600)
    execFileSync('qemu-img', ['convert', '-f', 'qcow2', '-O', 'raw', target, at('back')])
    expect(new Uint8Array(await readFile(at('back')))).toEqual(expected)
  })

  const bad: [string, () => Promise<string>, string][] = [
    ['an empty file', () => writeFile(at('e'), '').then(() => at('e')), imageProblems.empty],
    [
      'a qcow2 on a file of the host',
      async () => {
        const args = ['-f', 'qcow2', '-u', '-b', '/etc/shadow', '-F', 'raw', at('b.qcow2'), '1M']
        execFileSync('qemu-img', ['create', '-q', ...args])
        return at('b.qcow2')
      },
      imageProblems.backing,
    ],
    [
      'a qcow2 with its data in another file',
      async () => {
        const options = `data_file=${at('data')},data_file_raw=on`
        execFileSync('qemu-img', [
          'create',
          '-q',
          '-f',
          'qcow2',
          '-o',
          options,
          at('d.qcow2'),
          '1M',
        ])
        return at('d.qcow2')
      },
      imageProblems.elsewhere,
    ],
    [
      'an encrypted qcow2',
      () => changed('c.qcow2', 'disk.qcow2', write(35, 2)),
      imageProblems.encrypted,
    ],
    [
      'a qcow2 that ends early',
      () => changed('t.qcow2', 'disk.qcow2', (file) => file.truncate(MiB)),
      imageProblems.damaged,
    ],
    [
      'a qcow2 that ends in its header',
      () => changed('h.qcow2', 'disk.qcow2', (file) => file.truncate(50)),
      imageProblems.truncated,
    ],
    [
      'a qcow2 whose tables are damaged',
      () => changed('x.qcow2', 'disk.qcow2', write(65_536, ...bytesOf(1, 4096).map((b) => b | 1))),
      imageProblems.damaged,
    ],
    [
      'a VMDK of a flat file',
      async () => {
        const text = '# Disk DescriptorFile\nRW 2048 FLAT "/etc/shadow" 0\n'
        await writeFile(at('flat.vmdk'), text)
        return at('flat.vmdk')
      },
      imageProblems.unsupported('a VMDK descriptor, whose data is in other files'),
    ],
    [
      'a sparse VMDK that is described by text',
      () => changed('cap.vmdk', 'disk.vmdk', write(12, 0, 0, 0, 0, 0, 0, 0, 0)),
      imageProblems.elsewhere,
    ],
    [
      'a VMDK whose text names a file of the host',
      () =>
        changed('ext.vmdk', 'disk.vmdk', (file) =>
          file.write(Buffer.from('RW 2048 FLAT "/etc/shadow" 0\n\0'), 0, 30, 512),
        ),
      imageProblems.elsewhere,
    ],
    [
      'a VMDK with a parent',
      () =>
        changed('parent.vmdk', 'disk.vmdk', (file) =>
          file.write(
            Buffer.from('parentCID=12345678\nparentFileNameHint="/etc/shadow"\n\0'),
            0,
            52,
            512,
          ),
        ),
      imageProblems.backing,
    ],
    [
      'an ISO that ends early',
      () => changed('t.iso', 'disk.iso', (file) => file.truncate(48 * 1024)),
      imageProblems.truncated,
    ],
    [
      'a VHDX that ends in its header',
      () => changed('t.vhdx', 'disk.vhdx', (file) => file.truncate(100_000)),
      imageProblems.damaged,
    ],
    [
      'a sparse qcow2 of 1 EiB',
      async () => {
        const options = 'cluster_size=2M'
        execFileSync('qemu-img', [
          'create',
          '-q',
          '-f',
          'qcow2',
          '-o',
          options,
          at('big.qcow2'),
          '1E',
        ])
        return at('big.qcow2')
      },
      imageProblems.tooLarge('1023 GiB'),
    ],
  ]
  test.each(bad)('refuses %s', async (_, build, message) => {
    const path = await build()
    const error = await convertImage(path, at('never')).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UnusableImageError)
    expect((error as Error).message).toContain(message)
    expect((await readdir(home)).filter((name) => name.startsWith('never'))).toEqual([])
  })

  test('refuses what the limits do not allow', async () => {
    await expect(inspectImage(at('disk.raw'), { maxSize: MiB })).rejects.toThrow(
      'larger than 1 MiB',
    )
    await expect(convertImage(at('disk.raw'), at('never'), { room: MiB })).rejects.toThrow(
      NoSpaceError,
    )
  })
})
