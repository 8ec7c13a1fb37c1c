/**
 * The first day of a new user with real machines: an image by URL, an instance of it, SSH, work on
 * its disk, a snapshot, a reboot, and another instance of the snapshot. The server is killed between.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { expect, onTestFinished, test } from 'vitest'
import {
  noise,
  sha256,
  startImageServer,
} from '../../../control-plane/test/support/image-server.ts'
import { smallInstance, until } from '../../../control-plane/test/support/things.ts'
import { guestsMissing, smallImage } from '../../../libvirt/test/support/small-image.ts'
import { makeSshKey, sshMissing } from '../../../libvirt/test/support/ssh.ts'
import { embeddedCloud } from '../kill/cloud.ts'
import { domainsOf } from '../../../libvirt/test/support/domains.ts'
import { startServersWithGuests } from '../support/guests.ts'
import { temporaryDirectory } from '../support/process.ts'

const missing = guestsMissing() ?? sshMissing()
if (missing !== undefined) console.warn(`The first day of a user is left out: ${missing}.`)

const MiB = 1024 * 1024
/** Sizes of the files that the user writes. */
const sizes = [4 * MiB, 3 * MiB + 1, 513, 0]
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

test.skipIf(missing !== undefined)(
  'a guest of an image by URL keeps its files over kills, a reboot and a snapshot',
  { timeout: 1_800_000 },
  async () => {
    const cloud = embeddedCloud(temporaryDirectory())
    const servers = await startServersWithGuests(cloud, 1, {
      STEADING_IMAGE_NETWORKS: '127.0.0.1',
    })
    const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
      const answer = await servers.api(0)(method, path, body)
      if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
      return answer.body as T
    }
    const restart = async () => {
      await servers.kill(0)
      await servers.restart(0)
    }

    const images = await startImageServer()
    onTestFinished(images.close)
    const bytes = readFileSync(smallImage())
    images.files['/small.qcow2'] = { bytes, etag: '"one"' }
    const { id: downloadId } = await call<Wire.ImageDownload>(
      'POST',
      '/x/v1/image-downloads?project=work',
      {
        name: 'small',
        description: '',
        os: 'Debian',
        version: '12',
        url: `${images.url}/small.qcow2`,
        checksum: { type: 'sha256', value: sha256(bytes) },
      },
    )
    await restart()
    const { image_id } = await until(
      () => call<Wire.ImageDownload>('GET', `/x/v1/image-downloads/${downloadId}`),
      ({ state, problem }) => expect({ state, problem }).toEqual({ state: 'ready', problem: null }),
    )

    const key = makeSshKey(join(temporaryDirectory(), 'key'))
    const { id: keyId } = await call<Wire.SshKey>('POST', '/v1/me/ssh-keys', {
      name: 'laptop',
      description: '',
      public_key: key.publicKey,
    })
    /** An instance whose boot disk is made of an image or a snapshot. */
    const runInstance = (name: string, disk_source: object) =>
      call<Wire.Instance>('POST', '/v1/instances?project=work', {
        ...smallInstance(name),
        start: true,
        ssh_public_keys: [keyId],
        boot_disk: {
          type: 'create',
          name: `${name}-boot`,
          description: '',
          size: 1024 ** 3,
          disk_backend: { type: 'distributed', disk_source },
        },
        network_interfaces: { type: 'default_ipv4' },
        external_ips: [{ type: 'ephemeral' }],
      })
    /** The port that leads to SSH by the rules of a new VPC, once the guest lets the user in. */
    const signsIn = async (instance: string) => {
      const { endpoints } = await until(
        () => call<Wire.InstanceNetwork>('GET', `/x/v1/instances/${instance}/network?project=work`),
        (network) => expect(network.endpoints.map(({ port }) => port)).toContain(22),
      )
      const endpoint = endpoints.find(({ port }) => port === 22)!
      await until(
        () => key.run(endpoint, 'hostname').catch((error: Error) => error.message),
        (name) => expect(name).toBe(instance),
      )
      return (command: string, input?: Uint8Array) => key.run(endpoint, command, input)
    }

    await runInstance('wheel', { type: 'image', image_id })
    await restart()
    let shell = await signsIn('wheel')

    const files = sizes.map((size, index) => noise(size, index + 1))
    for (const [index, file] of files.entries()) await shell(`cat >/root/file-${index}`, file)
    await shell('sync')
    const sums = files.map((file, index) => `${md5(file)}  /root/file-${index}`).join('\n')
    const readSums = 'md5sum /root/file-*'
    await expect(shell(readSums)).resolves.toBe(sums)

    await call('POST', '/v1/snapshots?project=work', {
      name: 'with-files',
      description: '',
      disk: 'wheel-boot',
    })
    await restart()
    const snapshot = await until(
      () => call<Wire.Snapshot>('GET', '/v1/snapshots/with-files?project=work'),
      ({ state }) => expect(state).toBe('ready'),
    )
    await shell('echo later >/root/after-the-snapshot; sync')

    const bootId = 'cat /proc/sys/kernel/random/boot_id'
    const firstBoot = await shell(bootId)
    await call('POST', '/v1/instances/wheel/reboot?project=work')
    await restart()
    await until(
      async () => {
        shell = await signsIn('wheel')
        return shell(bootId).catch(() => firstBoot)
      },
      (boot) => expect(boot).not.toBe(firstBoot),
    )
    await expect(shell(readSums)).resolves.toBe(sums)
    await expect(shell('cat /root/after-the-snapshot')).resolves.toBe('later')

    await runInstance('spoke', { type: 'snapshot', snapshot_id: snapshot.id })
    await restart()
    const other = await signsIn('spoke')
    await expect(other(readSums)).resolves.toBe(sums)
    await expect(other('ls /root')).resolves.not.toContain('after-the-snapshot')
    // Each has its own disk from here on.
    await other('rm /root/file-0; sync')
    await expect(shell(readSums)).resolves.toBe(sums)

    for (const name of ['wheel', 'spoke']) {
      await call('POST', `/v1/instances/${name}/stop?project=work`)
      await until(
        () => call<Wire.Instance>('GET', `/v1/instances/${name}?project=work`),
        ({ run_state }) => expect(run_state).toBe('stopped'),
      )
      await call('DELETE', `/v1/instances/${name}?project=work`)
    }
    await until(
      async () => domainsOf(cloud.data),
      (domains) => expect(domains).toEqual([]),
    )
  },
)
