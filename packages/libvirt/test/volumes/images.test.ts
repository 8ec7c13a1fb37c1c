/** Images as people have them, imported over the API into volumes in qcow2 files. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskSizeInImage, imageProblems } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startImageServer } from '../../../control-plane/test/support/image-server.ts'
import { startImports } from '../../../control-plane/test/support/imports.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import { libvirtMigrations } from '../../src/migrations/index.ts'
import { createQcow2Volumes } from '../../src/volumes/volumes.ts'
import { bytesOf, volumesMissing } from '../support/volumes.ts'

const MiB = 1024 * 1024
const missing = await volumesMissing()

describe.skipIf(missing)('imported images', () => {
  let home: string
  let raw: Uint8Array
  const at = (name: string) => join(home, name)
  const img = (...args: string[]) => execFileSync('qemu-img', args, { cwd: home })
  /** The bytes of a file, in whole blocks. */
  async function fileOf(name: string): Promise<Uint8Array> {
    const bytes = await readFile(at(name))
    const whole = new Uint8Array(Math.ceil(bytes.length / 512) * 512)
    whole.set(bytes)
    return whole
  }

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'steading-imports-'))
    raw = bytesOf(11, 3 * MiB)
    await writeFile(at('disk.raw'), raw)
    for (const format of ['qcow2', 'vmdk', 'vhdx']) {
      img('convert', '-f', 'raw', '-O', format, 'disk.raw', `disk.${format}`)
    }
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  async function start(given?: string) {
    const data = given ?? (await mkdtemp(join(tmpdir(), 'steading-imports-')))
    const imports = await startImports(
      (parts) => createQcow2Volumes(parts, { directory: join(data, 'volumes') }),
      { migrations: libvirtMigrations, path: join(data, 'steading.db'), isNew: !given },
    )
    onTestFinished(async () => {
      await imports.stop()
      await rm(data, { recursive: true, force: true })
    })
    const layers = async () =>
      (await readdir(join(data, 'volumes'))).filter((name) => name.includes('.qcow2'))
    return { ...imports, layers, data }
  }

  test.each([
    ['qcow2', ''],
    ['vmdk', ' @long'],
    ['vhdx', ' @long'],
  ] as const)('%s becomes the disk%s', async (format, _run) => {
    const { importFile, reach, contents, call, layers } = await start()
    const file = await fileOf(`disk.${format}`)
    const read = async (offset: number, length: number) => file.subarray(offset, offset + length)
    expect(await diskSizeInImage(read, format)).toBe(raw.length)
    await importFile('good', file)
    await reach('good', 'detached')
    const size = raw.length + MiB
    const expected = new Uint8Array(size)
    expected.set(raw)
    expect(Buffer.compare(await contents('good', size), expected)).toBe(0)
    const snapshot = await call('GET', '/v1/snapshots/good-snapshot?project=work')
    expect(snapshot.body.state).toBe('ready')
    // One of the snapshot, one that the disk continues with: the image is gone.
    expect(await layers()).toHaveLength(2)
  })

  test('a file at a URL is converted and refused as an uploaded one', async () => {
    const { call, contents, layers } = await start()
    const images = await startImageServer()
    onTestFinished(images.close)
    img('create', '-q', '-u', '-f', 'qcow2', '-b', '/etc/shadow', '-F', 'raw', 'backing', '1M')
    await writeFile(at('cut'), (await fileOf('disk.vmdk')).subarray(0, MiB))
    const ended = async (name: string) => {
      images.files[`/${name}`] = { bytes: await readFile(at(name)) }
      const body = { name: name.replace('.', '-'), description: '', os: '', version: '' }
      const url = `${images.url}/${name}`
      const { body: begun } = await call('POST', '/x/v1/image-downloads?project=work', {
        ...body,
        url,
      })
      return until(
        async () => (await call('GET', `/x/v1/image-downloads/${begun.id}`)).body,
        ({ state }) => expect(['ready', 'failed']).toContain(state),
      )
    }
    expect(await ended('backing')).toMatchObject({ problem: imageProblems.backing })
    expect(await ended('cut')).toMatchObject({ problem: imageProblems.damaged })
    await until(layers, (left) => expect(left).toEqual([]))
    const { image_id } = await ended('disk.qcow2')
    // Only the layer of the image is left.
    await until(layers, (left) => expect(left).toHaveLength(1))
    await call('POST', '/v1/disks?project=work', {
      name: 'copy',
      description: '',
      size: 1024 ** 3,
      disk_backend: { type: 'distributed', disk_source: { type: 'image', image_id } },
    })
    expect(Buffer.compare(await contents('copy', raw.length), raw)).toBe(0)
  })

  test('a conversion that a stop interrupts is repeated', async () => {
    const first = await start()
    await first.importFile('large', await fileOf('disk.vmdk'))
    await first.stop()
    // As a crash leaves it: the new layer was begun, and a start has made its file.
    const second = await start(first.data)
    await second.reach('large', 'detached')
    const found = await second.contents('large', raw.length)
    expect(Buffer.compare(found, raw)).toBe(0)
    expect(await second.layers()).toHaveLength(2)
  })

  test('raw bytes stay as they are, also those that other files begin with', async () => {
    const { importFile, reach, contents } = await start()
    const encrypted = Uint8Array.from(raw)
    encrypted.set(Buffer.from('LUKS\xba\xbe', 'latin1'))
    await importFile('raw', encrypted)
    await reach('raw', 'detached')
    expect(Buffer.compare(await contents('raw', encrypted.length), encrypted)).toBe(0)
  })

  test.each<[string, string | RegExp, () => Promise<unknown>]>([
    [
      'that names a file of the host',
      imageProblems.backing,
      async () =>
        img('create', '-q', '-u', '-f', 'qcow2', '-b', '/etc/shadow', '-F', 'raw', 'bad', '1M'),
    ],
    [
      'of 1 EiB',
      imageProblems.tooLarge('1 GiB'),
      async () => img('create', '-q', '-f', 'qcow2', '-o', 'cluster_size=2M', 'bad', '1E'),
    ],
    [
      'that is cut off',
      imageProblems.damaged,
      async () => {
        await writeFile(at('bad'), await fileOf('disk.qcow2'))
        await truncate(at('bad'), MiB)
      },
    ],
    [
      'that is cut off, as vmdk',
      imageProblems.damaged,
      async () => {
        await writeFile(at('bad'), await fileOf('disk.vmdk'))
        await truncate(at('bad'), MiB)
      },
    ],
    [
      'that is cut off, as vhdx',
      /^The image /,
      async () => {
        await writeFile(at('bad'), await fileOf('disk.vhdx'))
        await truncate(at('bad'), 9 * MiB)
      },
    ],
  ])('an image %s is refused, and nothing of it is kept', async (_name, problem, make) => {
    const { importFile, reach, view, layers } = await start()
    await make()
    await importFile('bad', await fileOf('bad'))
    await reach('bad', 'faulted')
    expect((await view('bad')).body.conversion.problem).toEqual(
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    )
    await expect.poll(layers).toEqual([])
  })
})
