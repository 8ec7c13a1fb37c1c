/** Servers with networks between real machines, as they start without any option. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Wire } from '@steading/api'
import { expect, onTestFinished, vi } from 'vitest'
import { sha256, startImageServer } from '../../../control-plane/test/support/image-server.ts'
import { firewallRule, tcpTo, until } from '../../../control-plane/test/support/things.ts'
import type { SshKey } from '../../../libvirt/test/support/ssh.ts'
import { environment } from '../../../rootless/test/support/missing.ts'
import type { Home } from '../../../rootless/test/support/open-server.ts'
import { PASSWORD } from './process.ts'

const program = join(import.meta.dirname, '../../src/main.ts')

export interface Started {
  call: <T>(method: string, path: string, body?: object) => Promise<T>
  /** Waits until the default VPC of project `shop` is in effect. */
  settled: () => Promise<Wire.VpcNetworkStatus>
  kill: () => Promise<void>
}

/** Starts a server of the user of a home, which has nothing but its data directory. */
export const startOrdinary = (home: Home): Promise<Started> =>
  startServer(environment(home.user, home.path), join(home.path, 'data'))

/** Starts a server of root, with the OVN and the libvirt of the system. */
export const startAsRoot = (data: string): Promise<Started> =>
  startServer({ env: { PATH: process.env.PATH } }, data)

async function startServer(
  options: { env: NodeJS.ProcessEnv } & SpawnOptions,
  data: string,
): Promise<Started> {
  const child: ChildProcess = spawn(process.execPath, [program, '--port', '0', '--data', data], {
    ...options,
    env: {
      ...options.env,
      STEADING_ADMIN_PASSWORD: PASSWORD,
      STEADING_IMAGE_NETWORKS: '127.0.0.1',
      STEADING_COLLECTION: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const closed = once(child, 'close')
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text
    process.stderr.write(text)
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    if (/http:\/\/\S+/.test(line)) break
  }
  child.stdout!.resume()
  const url = /http:\/\/\S+/.exec(lines.join('\n'))?.[0]
  if (url === undefined) {
    const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null]
    throw new Error(`the server has ended (${signal ?? code}): ${errors}`)
  }
  const login = await fetch(`${url}/v1/login/main/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.status, `${path}: ${text}`).toBeLessThan(300)
    return (text ? JSON.parse(text) : undefined) as T
  }
  const settled = () =>
    until(
      () => call<Wire.VpcNetworkStatus>('GET', '/x/v1/vpcs/default/network-status?project=shop'),
      ({ behind }) => expect(behind).toBe(false),
    )
  return { call, settled, kill }
}

/** A rule that lets SSH in. */
export const allowSsh = (target: string, from?: string) =>
  firewallRule(`ssh-${target}`, {
    targets: [{ type: 'instance', value: target }],
    filters: tcpTo('22', from === undefined ? undefined : { type: 'instance', value: from }),
  })

/** Gives project `shop` an image. */
export async function addImage(
  { call }: Started,
  values: { name: string; file: string },
): Promise<string> {
  const images = await startImageServer()
  onTestFinished(images.close)
  const bytes = readFileSync(values.file)
  images.files['/image.qcow2'] = { bytes, etag: '"one"' }
  const download = await call<Wire.ImageDownload>('POST', '/x/v1/image-downloads?project=shop', {
    name: values.name,
    description: '',
    os: 'Debian',
    version: '12',
    url: `${images.url}/image.qcow2`,
    checksum: { type: 'sha256', value: sha256(bytes) },
  })
  const { image_id } = await until(
    () => call<Wire.ImageDownload>('GET', `/x/v1/image-downloads/${download.id}`),
    ({ state }) => expect(state).toBe('ready'),
  )
  return image_id!
}

/** The boot disk of an instance, with an image. */
export const bootDisk = (name: string, image_id: string, size: number) => ({
  type: 'create',
  name: `${name}-boot`,
  description: '',
  size,
  disk_backend: { type: 'distributed', disk_source: { type: 'image', image_id } },
})

/** Ends the wait for an emulated guest on a busy machine; each attempt costs it time. */
const BOOT_MS = 1_200_000

/** Runs a command in a guest of project `shop`, once that lets its user in. */
export async function runIn(
  { call }: Started,
  key: SshKey,
  name: string,
  command: string,
): Promise<string> {
  const { endpoints } = await until(
    () => call<Wire.InstanceNetwork>('GET', `/x/v1/instances/${name}/network?project=shop`),
    (network) => expect(network.endpoints.map(({ port }) => port)).toEqual([22]),
  )
  await vi.waitFor(async () => expect(await key.run(endpoints[0]!, 'hostname')).toBe(name), {
    timeout: BOOT_MS,
    interval: 1000,
  })
  return key.run(endpoints[0]!, command)
}
