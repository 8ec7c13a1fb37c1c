import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import Oxide from '@oxide/api'
import { GiB } from '@steading/api/rules'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually, type Methods, ok, refusal, signIn, startHost } from './client.ts'

const CHUNK = 512 * 1024
const query = { project: 'web' }
const blank = { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } } as const

const runState = async (api: Methods, instance: string) =>
  ok(await api.instanceView({ path: { instance } })).runState
const diskState = async (api: Methods, disk: string) =>
  ok(await api.diskView({ path: { disk }, query })).state

/** Creates an importing disk, uploads its bytes in chunks, and takes a snapshot. */
async function upload(api: Methods, name: string, bytes: Buffer, snapshotName: string) {
  const body = {
    name,
    description: 'Uploaded',
    size: GiB,
    diskBackend: {
      type: 'distributed',
      diskSource: { type: 'importing_blocks', blockSize: 512 },
    },
  } as const
  const disk = ok(await api.diskCreate({ query, body }))
  await eventually(async () => {
    expect(await diskState(api, name)).toEqual({ state: 'import_ready' })
  })
  const path = { disk: name }
  ok(await api.diskBulkWriteImportStart({ path, query }))
  expect(await diskState(api, name)).toEqual({ state: 'importing_from_bulk_writes' })
  for (let offset = 0; offset < bytes.length; offset += CHUNK) {
    const base64EncodedData = bytes.subarray(offset, offset + CHUNK).toString('base64')
    const chunk = { offset, base64EncodedData }
    ok(await api.diskBulkWriteImport({ path, query, body: chunk }))
  }
  ok(await api.diskBulkWriteImportStop({ path, query }))
  ok(await api.diskFinalizeImport({ path, query, body: { snapshotName } }))
  await eventually(async () => {
    expect(await diskState(api, name)).toEqual({ state: 'detached' })
  })
  return disk
}

/** The client opens the socket; the cookie, which a browser would send, is added. */
function openConsole(host: string, cookie: string, instance: string): WebSocket {
  const WithCookie = class extends WebSocket {
    constructor(url: string | URL) {
      // Node accepts headers here, unlike the browser's type.
      super(url, { headers: { cookie } } as never)
    }
  }
  vi.stubGlobal('WebSocket', WithCookie)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { hostname, port } = new URL(host)
  const socket = new Oxide({ host }).ws.instanceSerialConsoleStream({
    host: `${hostname}:${port}`,
    secure: false,
    path: { instance },
    query: { mostRecent: 0 },
  })
  socket.binaryType = 'arraybuffer'
  return socket
}

/** Stops an instance and waits until it has. */
async function stop(api: Methods, instance: string): Promise<void> {
  ok(await api.instanceStop({ path: { instance } }))
  await eventually(async () => expect(await runState(api, instance)).toBe('stopped'))
}

test('the published client turns an upload into a running machine, and cleans up', async () => {
  const host = await startHost()
  const { methods: api, cookie } = await signIn(host)
  const me = ok(await api.currentUserView({}))
  expect(me).toMatchObject({ displayName: 'admin', siloName: 'main', siloAdmin: true })

  const began = Date.now()
  const project = ok(
    await api.projectCreate({ body: { name: 'web', description: 'Ein Großes & "Ganzes"' } }),
  )
  expect(project.description).toBe('Ein Großes & "Ganzes"')
  expect(project.timeCreated).toBeInstanceOf(Date)
  expect(Math.abs(project.timeCreated.getTime() - began)).toBeLessThan(60_000)

  // Upload an image.
  const bytes = randomBytes(3 * CHUNK + 4096)
  const disk = await upload(api, 'upload', bytes, 'as-uploaded')
  const snapshot = ok(await api.snapshotView({ path: { snapshot: 'as-uploaded' }, query }))
  expect(snapshot).toMatchObject({ diskId: disk.id, size: GiB, state: 'ready' })
  const image = ok(
    await api.imageCreate({
      query,
      body: {
        name: 'system',
        description: '',
        os: 'Plan 9',
        version: '4',
        source: { type: 'snapshot', id: snapshot.id },
      },
    }),
  )
  expect(image).toMatchObject({ projectId: project.id, size: GiB, blockSize: 512 })

  // Create the dependencies of an instance.
  const key = ok(
    await api.currentUserSshKeyCreate({
      body: { name: 'laptop', description: '', publicKey: 'ssh-ed25519 AAAA me@laptop' },
    }),
  )
  const floatingIp = ok(
    await api.floatingIpCreate({
      query,
      body: {
        name: 'front',
        description: '',
        addressAllocator: { type: 'auto', poolSelector: { type: 'explicit', pool: 'default' } },
      },
    }),
  )
  const group = ok(
    await api.antiAffinityGroupCreate({
      query,
      body: { name: 'apart', description: '', policy: 'fail', failureDomain: 'sled' },
    }),
  )
  const instance = ok(
    await api.instanceCreate({
      query,
      body: {
        name: 'first',
        description: 'Made by a program',
        hostname: 'First.example',
        ncpus: 2,
        memory: 2 * GiB,
        userData: Buffer.from('#cloud-config').toString('base64'),
        bootDisk: {
          type: 'create',
          name: 'root',
          description: '',
          size: 2 * GiB,
          diskBackend: {
            type: 'distributed',
            diskSource: { type: 'image', imageId: image.id },
          },
        },
        disks: [{ type: 'create', name: 'data', description: '', size: GiB, diskBackend: blank }],
        networkInterfaces: {
          type: 'create',
          params: [
            {
              name: 'net0',
              description: '',
              vpcName: 'default',
              subnetName: 'default',
              ipConfig: {
                type: 'dual_stack',
                value: {
                  v4: { ip: { type: 'explicit', value: '172.30.0.77' } },
                  v6: { ip: { type: 'auto' }, transitIps: ['fd12:3456::/64'] },
                },
              },
            },
          ],
        },
        externalIps: [{ type: 'floating', floatingIp: 'front' }],
        sshPublicKeys: ['laptop'],
        antiAffinityGroups: ['apart'],
        autoRestartPolicy: 'never',
      },
    }),
  )
  expect(instance).toMatchObject({
    hostname: 'First.example',
    autoRestartPolicy: 'never',
    autoRestartEnabled: false,
    enableJumboFrames: false,
  })
  const path = { instance: instance.id }
  await eventually(async () => expect(await runState(api, instance.id)).toBe('running'))

  // Check the result.
  const disks = ok(await api.instanceDiskList({ path }))
  expect(disks.items.map(({ name, state }) => [name, state])).toEqual([
    ['data', { state: 'attached', instance: instance.id }],
    ['root', { state: 'attached', instance: instance.id }],
  ])
  const [data, root] = disks.items
  expect(root).toMatchObject({ imageId: image.id, devicePath: '/mnt/root', blockSize: 512 })
  expect(ok(await api.instanceView({ path })).bootDiskId).toBe(root!.id)
  const nics = ok(await api.instanceNetworkInterfaceList({ query: { instance: instance.id } }))
  expect(nics.items).toMatchObject([
    {
      name: 'net0',
      primary: true,
      ipStack: {
        type: 'dual_stack',
        value: {
          v4: { ip: '172.30.0.77', transitIps: [] },
          v6: { transitIps: ['fd12:3456::/64'] },
        },
      },
    },
  ])
  const addresses = ok(await api.instanceExternalIpList({ path }))
  expect(addresses.items).toContainEqual({
    kind: 'floating',
    ...floatingIp,
    instanceId: instance.id,
    timeModified: expect.any(Date),
  })
  const keys = ok(await api.instanceSshPublicKeyList({ path }))
  expect(keys.items).toEqual([key])
  const groups = ok(await api.instanceAntiAffinityGroupList({ path }))
  expect(groups.items.map(({ id }) => id)).toEqual([group.id])
  const members = ok(
    await api.antiAffinityGroupMemberList({ path: { antiAffinityGroup: group.id } }),
  )
  expect(members.items).toEqual([
    { type: 'instance', value: { id: instance.id, name: 'first', runState: 'running' } },
  ])

  // Read and write its serial console.
  await eventually(async () => {
    const console = ok(await api.instanceSerialConsole({ path, query: { fromStart: 0 } }))
    expect(Buffer.from(console.data).toString()).toContain('Welcome to First.example')
    expect(console.lastByteOffset).toBe(console.data.length)
  })
  const tail = ok(
    await api.instanceSerialConsole({ path, query: { mostRecent: 40, maxBytes: 10 } }),
  )
  expect(tail.data).toHaveLength(10)
  const socket = openConsole(host, cookie, instance.id)
  await once(socket, 'open')
  socket.send(Buffer.from('hello from a program\r'))
  let said = ''
  while (!said.includes('hello from a program')) {
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent<ArrayBuffer>]
    said += Buffer.from(data).toString()
  }
  socket.close()

  ok(await api.instanceReboot({ path }))
  await eventually(async () => expect(await runState(api, instance.id)).toBe('running'))
  await stop(api, instance.id)

  // Detach and attach disks.
  ok(await api.instanceDiskDetach({ path, body: { disk: data!.id } }))
  expect(await diskState(api, 'data')).toEqual({ state: 'detached' })
  ok(await api.instanceDiskAttach({ path, query: {}, body: { disk: data!.id } }))
  expect(await diskState(api, 'data')).toEqual({ state: 'attached', instance: instance.id })
  ok(await api.instanceDiskDetach({ path, body: { disk: data!.id } }))

  // The disk was created from the image, so it contains the upload. Not for clients in general.
  const sum = await fetch(`${host}/x/v1/disks/${root!.id}/checksum?length=${bytes.length}`, {
    method: 'GET',
    headers: { cookie },
  })
  expect(await sum.json()).toEqual({
    length: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })

  // Create a second machine from a snapshot of the first.
  const copy = ok(
    await api.snapshotCreate({ query, body: { name: 'copy', description: '', disk: 'root' } }),
  )
  await eventually(async () => {
    expect(ok(await api.snapshotView({ path: { snapshot: copy.id } })).state).toBe('ready')
  })
  const cloned = ok(
    await api.diskCreate({
      query,
      body: {
        name: 'clone',
        description: '',
        size: 2 * GiB,
        diskBackend: {
          type: 'distributed',
          diskSource: { type: 'snapshot', snapshotId: copy.id },
        },
      },
    }),
  )
  expect(cloned).toMatchObject({ snapshotId: copy.id, readOnly: false })
  await eventually(async () => {
    expect(await diskState(api, 'clone')).toEqual({ state: 'detached' })
  })
  const second = ok(
    await api.instanceCreate({
      query,
      body: {
        name: 'second',
        description: '',
        hostname: 'second',
        ncpus: 1,
        memory: GiB,
        bootDisk: { type: 'attach', name: 'clone' },
        networkInterfaces: { type: 'default_ipv4' },
        externalIps: [{ type: 'ephemeral' }],
        sshPublicKeys: [],
        start: false,
      },
    }),
  )
  await eventually(async () => expect(await runState(api, second.id)).toBe('stopped'))
  ok(
    await api.antiAffinityGroupMemberInstanceAdd({
      path: { antiAffinityGroup: 'apart', instance: 'second' },
      query,
    }),
  )
  ok(await api.instanceStart({ path: { instance: second.id } }))
  await eventually(async () => expect(await runState(api, second.id)).toBe('running'))
  const kinds = ok(await api.instanceExternalIpList({ path: { instance: second.id } })).items
  expect(kinds.map(({ kind }) => kind)).toContain('ephemeral')

  // Promote the image to the silo, and demote it again.
  const promoted = ok(await api.imagePromote({ path: { image: 'system' }, query }))
  expect([promoted.id, promoted.projectId]).toEqual([image.id, null])
  expect(ok(await api.imageList({})).items.map(({ name }) => name)).toContain('system')
  const demoted = ok(await api.imageDemote({ path: { image: 'system' }, query }))
  expect([demoted.id, demoted.projectId]).toEqual([image.id, project.id])

  // Delete everything in the API's order: users of a resource before the resource.
  expect(refusal(await api.projectDelete({ path: query }))).toMatchObject({
    status: 400,
    errorCode: 'InvalidRequest',
    message: 'project to be deleted contains an instance: first',
  })
  expect(refusal(await api.instanceDelete({ path: { instance: second.id } }))).toMatchObject({
    status: 400,
    message: 'cannot delete instance: instance is running or has not yet fully stopped',
  })
  await stop(api, second.id)
  for (const { id } of [instance, second]) {
    expect(ok(await api.instanceDelete({ path: { instance: id } }))).toEqual({})
    await eventually(async () => {
      expect(refusal(await api.instanceView({ path: { instance: id } })).status).toBe(404)
    })
  }
  for (const name of ['clone', 'data', 'root', 'upload']) {
    ok(await api.diskDelete({ path: { disk: name }, query }))
  }
  const freed = ok(await api.floatingIpView({ path: { floatingIp: 'front' }, query }))
  expect(freed.instanceId).toBeNull()
  ok(await api.floatingIpDelete({ path: { floatingIp: 'front' }, query }))
  ok(await api.imageDelete({ path: { image: 'system' }, query }))
  for (const name of ['as-uploaded', 'copy']) {
    ok(await api.snapshotDelete({ path: { snapshot: name }, query }))
  }
  ok(await api.antiAffinityGroupDelete({ path: { antiAffinityGroup: 'apart' }, query }))
  ok(await api.currentUserSshKeyDelete({ path: { sshKey: 'laptop' } }))
  const lists = [
    await api.instanceList({ query }),
    await api.diskList({ query }),
    await api.floatingIpList({ query }),
    await api.imageList({ query }),
    await api.snapshotList({ query }),
    await api.antiAffinityGroupList({ query }),
    await api.currentUserSshKeyList({}),
  ]
  expect(lists.map((list) => ok<{ items: unknown[] }>(list as never).items)).toEqual(
    lists.map(() => []),
  )
  const { provisioned } = ok(await api.utilizationView({}))
  expect(provisioned).toEqual({ cpus: 0, memory: 0, storage: 0 })
  // Only the default VPC is left.
  expect(refusal(await api.projectDelete({ path: query })).message).toBe(
    'project to be deleted contains a vpc: default',
  )
  const vpc = { path: { vpc: 'default' }, query }
  expect(refusal(await api.vpcDelete(vpc)).message).toBe(
    'VPC cannot be deleted while VPC Subnets exist',
  )
  const subnet = { path: { subnet: 'default' }, query: { ...query, vpc: 'default' } }
  ok(await api.vpcSubnetDelete(subnet))
  ok(await api.vpcDelete(vpc))
  ok(await api.projectDelete({ path: query }))
  expect(refusal(await api.projectView({ path: query })).status).toBe(404)

  ok(await api.logout({}))
  expect(refusal(await api.currentUserView({}))).toMatchObject({
    status: 401,
    errorCode: 'Unauthorized',
  })
})
