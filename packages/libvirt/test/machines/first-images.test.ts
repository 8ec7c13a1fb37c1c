/** The images that a first start offers, with real machines. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { GiB } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import {
  loopback,
  sha256,
  startImageServer,
} from '../../../control-plane/test/support/image-server.ts'
import { startSmallServer } from '../../../control-plane/test/support/small-server.ts'
import { smallInstance, until } from '../../../control-plane/test/support/things.ts'
import { createImageSources } from '../../../node/src/image-sources.ts'
import { libvirtEngine } from '../../src/engine.ts'
import { removeDomains } from '../support/domains.ts'
import { guestsMissing, smallImage } from '../support/small-image.ts'

const missing = guestsMissing()
if (missing !== undefined) console.warn(`The first images are not tested: ${missing}.`)

test.skipIf(missing !== undefined)(
  'every image that a first start offers boots to a login prompt, and an empty disk is said to boot nothing @long',
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'steading-machines-'))
    // The libvirt of the system runs QEMU as a user of its own.
    chmodSync(data, 0o711)
    const { controlPlane, call, stop } = await startSmallServer(
      join(data, 'steading.db'),
      libvirtEngine({ directory: join(data, 'libvirt'), scanMs: 500 }),
      () => {},
      { host: { imageSources: createImageSources(loopback) } },
    )
    onTestFinished(async () => {
      await stop()
      removeDomains(data)
      rmSync(data, { recursive: true, force: true })
    })
    await call('POST', '/v1/projects', { name: 'work', description: '' })
    const images = await startImageServer()
    onTestFinished(images.close)

    const runInstance = async (name: string, disk_source: object) => {
      const { id } = await call<Wire.Instance>('POST', '/v1/instances?project=work', {
        ...smallInstance(name, { start: true, memory: GiB }),
        boot_disk: {
          type: 'create',
          name: `${name}-boot`,
          description: '',
          size: GiB,
          disk_backend: { type: 'distributed', disk_source },
        },
        network_interfaces: { type: 'none' },
      })
      await until(
        () => call<Wire.Instance>('GET', `/v1/instances/${id}`),
        ({ run_state }) => expect(run_state).toBe('running'),
      )
      const { vm_id } = await controlPlane.database.db
        .selectFrom('instance')
        .select('vm_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const view = () =>
        call<Wire.InstanceFailureView>('GET', `/x/v1/instances/${name}/failure?project=work`)
      return { console: () => controlPlane.engines.consoles.read(vm_id!, 0), view }
    }
    const boots = async (type: string, id: string) =>
      (await call<Wire.BootSource>('GET', `/x/v1/boot-source?type=${type}&id=${id}`)).boots

    // Without a network, the publisher is this machine.
    const bytes = readFileSync(smallImage())
    images.files['/small.qcow2'] = { bytes }
    await call('PUT', '/x/v1/image-catalog', {
      images: [
        {
          name: 'Small 1',
          os: 'Debian',
          version: '12',
          architecture: 'x86_64',
          url: `${images.url}/small.qcow2`,
          checksum: { type: 'sha256', value: sha256(bytes) },
          user: 'root',
        },
      ],
    })
    const offered = await call<{ items: Wire.Image[] }>('GET', '/v1/images')
    expect(offered.items).toEqual([])
    const catalog = await call<Wire.ImageCatalog>('GET', '/x/v1/image-catalog')
    for (const [index, { os, version, url, checksum }] of catalog.images.entries()) {
      const name = `first-${index}`
      const { id } = await call<Wire.ImageDownload>('POST', '/x/v1/image-downloads?project=work', {
        name,
        description: '',
        os,
        version,
        url,
        checksum,
      })
      const { image_id } = await until(
        () => call<Wire.ImageDownload>('GET', `/x/v1/image-downloads/${id}`),
        ({ state, problem }) =>
          expect({ state, problem }).toEqual({ state: 'ready', problem: null }),
      )
      expect(await boots('image', image_id!)).toBe(true)
      const { console, view } = await runInstance(name, { type: 'image', image_id })
      await until(
        async () => new TextDecoder().decode((await console()).data),
        (output) => expect(output).toContain(`${name} login:`),
      )
      expect(await view()).toMatchObject({ firmware: 'bios', nothing_to_boot: false })
    }

    const blank = { type: 'blank', block_size: 512 }
    const disk = await call<Wire.Disk>('POST', '/v1/disks?project=work', {
      name: 'empty',
      description: '',
      size: GiB,
      disk_backend: { type: 'distributed', disk_source: blank },
    })
    await until(
      () => boots('disk', disk.id),
      (answer) => expect(answer).toBe(false),
    )
    const { view } = await runInstance('bare', blank)
    expect(await view()).toMatchObject({ nothing_to_boot: true })
  },
)
