/** Machines outlive servers, and their disks are snapshotted while they run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { probeXml, runsGuests } from '../../src/accelerator.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import { openTestHost, runGuest, type TestHost, type TestServer } from '../support/engine.ts'
import { smallSpec } from '../support/open-engines.ts'
import { guestCd, guestDisk, haltingDisk, keys, READY, signalQemu } from '../support/guest.ts'

let host: TestHost
beforeAll(async () => {
  host = await openTestHost()
})
afterAll(() => host?.remove())

const encoder = new TextEncoder()
const MiB = 1024 * 1024
const output = async ({ engines }: TestServer, id: string) =>
  new TextDecoder().decode((await engines.consoles.read(id, 0)).data)
const closingViewer = { write() {}, resumeAt() {}, pending: () => 0, close() {} }

test('a machine runs on without a server, and is found again', async () => {
  const first = await host.start()
  const { id } = await runGuest(first)
  await until(
    () => output(first, id),
    (seen) => expect(seen).toContain(READY),
  )
  await first.close()
  const second = await host.start()
  onTestFinished(() => second.close())
  const { machines, consoles } = second.engines
  expect((await machines.observe(id)).phase).toBe('running')
  const line = consoles.open(id, { mostRecent: 0 }, closingViewer)
  line.type(encoder.encode(keys.say('still here')))
  await until(
    () => output(second, id),
    (seen) => expect(seen).toMatch(/\r\nstill here\r\n/),
  )
  line.leave()
  await machines.destroy(id, 2)
  expect(await machines.list()).not.toContain(id)
})

test('a machine that powers off while no server runs has stopped', async () => {
  const first = await host.start()
  const { id } = await runGuest(first)
  await until(
    () => output(first, id),
    (seen) => expect(seen).toContain(READY),
  )
  const { libvirt } = await first.engines.host()
  const { uri } = libvirt
  await first.close()
  const { openLibvirt } = await import('../../src/native/libvirt.ts')
  const outside = await openLibvirt(uri)
  await outside.shutdown(id)
  await until(
    () => outside.status(id),
    (status) => expect(status?.state).toBe('shutoff'),
  )
  await outside.close()
  const second = await host.start()
  onTestFinished(() => second.close())
  const { machines } = second.engines
  expect((await machines.observe(id)).phase).toBe('stopped')
  expect(await output(second, id)).toContain('Power off.')
  await machines.destroy(id, 2)
})

test('a domain that tries out guests ends with the connection of its server', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { libvirt, accelerator, files } = await server.engines.host()
  const image = join(files.shared, `test-${crypto.randomUUID()}`)
  await writeFile(image, haltingDisk())
  onTestFinished(() => rmSync(image))
  const uuid = crypto.randomUUID()
  const { openLibvirt } = await import('../../src/native/libvirt.ts')
  const killed = await openLibvirt(libvirt.uri)
  await killed.createTransient(uuid, probeXml(uuid, accelerator, image))
  expect(await libvirt.status(uuid)).toMatchObject({ state: 'running' })
  await killed.close()
  await until(
    () => libvirt.status(uuid),
    (status) => expect(status).toBeUndefined(),
  )
  expect(await runsGuests(libvirt, 'qemu', files)).toBe(true)
})

test('a server starts although libvirt does not answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steading-silent-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const clients = new Set<Socket>()
  const daemon = createServer((client) => void clients.add(client))
  const path = join(folder, 'socket')
  await new Promise<void>((listening) => daemon.listen(path, listening))
  onTestFinished(() => void daemon.close())
  const silent = await openTestHost({ uri: `qemu+unix:///system?socket=${path}`, answerMs: 100 })
  onTestFinished(() => silent.remove())
  const server = await silent.start()
  expect(server.log).toHaveBeenCalledWith('libvirt does not answer')
  expect(await server.engines.machines.list()).toEqual([])
  // Its calls fail, and the server can end.
  daemon.close()
  for (const client of clients) client.destroy()
  await server.close()
})

test('a domain of somebody else under the same name is left alone', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { machines, host: local } = server.engines
  const { libvirt } = await local()
  const { id } = await runGuest(server)
  await until(
    () => machines.observe(id),
    ({ phase }) => expect(phase).toBe('running'),
  )
  const other = (await libvirt.xml(id))!.replace(/owner=["'][^"']*["']/, 'owner="another"')
  await libvirt.destroy(id)
  await libvirt.define(id, other)
  await expect(machines.destroy(id, 2)).rejects.toThrow('was not made by this control plane')
  expect(await libvirt.status(id)).toBeDefined()
  await libvirt.undefine(id)
  await machines.destroy(id, 3)
})

test('a snapshot of a running machine keeps its moment, and the machine runs on and grows its disk', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { machines, volumes, consoles } = server.engines
  const { id, volumeId } = await runGuest(server)
  await until(
    () => output(server, id),
    (seen) => expect(seen).toContain(READY),
  )
  const snapshotId = crypto.randomUUID()
  await volumes.createSnapshot(snapshotId, volumeId, 2)
  expect(await volumes.read(snapshotId, 0, 512)).toEqual(Buffer.from(guestDisk().subarray(0, 512)))
  const line = consoles.open(id, { mostRecent: 0 }, closingViewer)
  line.type(encoder.encode(keys.say('on')))
  await until(
    () => output(server, id),
    (seen) => expect(seen).toMatch(/\r\non\r\n/),
  )
  line.leave()
  const size = 8 * MiB
  for (const _ of [1, 2]) await volumes.grow(volumeId, size, 2)
  const stats = (await (await server.engines.host()).libvirt.stats()).get(id)!
  expect(Object.entries(stats)).toContainEqual([
    expect.stringMatching(/^block\.\d+\.capacity$/),
    size,
  ])
  await machines.halt(id, 3)
  await volumes.detach(volumeId, id, 3)
  expect(await volumes.read(volumeId, size - 512, 512)).toEqual(Buffer.alloc(512))
  await machines.destroy(id, 3)
})

test('a machine with an empty boot disk boots from its CD, and a snapshot leaves that out', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { machines, volumes } = server.engines
  const id = crypto.randomUUID()
  const attach = async (name: string, bytes: Uint8Array, more: object) => {
    const volumeId = crypto.randomUUID()
    const size = Math.ceil(bytes.length / MiB) * MiB
    await volumes.create(volumeId, { size, blockSize: 2048 }, 1)
    if (bytes.some((byte) => byte !== 0)) await volumes.write(volumeId, 0, bytes)
    const source = await volumes.attach(volumeId, id, 1)
    return { id: volumeId, name, size, slot: 0, boot: false, readOnly: false, source, ...more }
  }
  const disk = await attach('boot', new Uint8Array(MiB), { boot: true })
  const cd = await attach('cd', guestCd(), { slot: 1, readOnly: true, cd: true })
  await machines.run(id, smallSpec([disk, cd]), 1)
  await until(
    () => output(server, id),
    (seen) => expect(seen).toContain(READY),
  )
  const snapshotId = crypto.randomUUID()
  await volumes.createSnapshot(snapshotId, disk.id, 2)
  expect((await machines.observe(id)).phase).toBe('running')
  await machines.halt(id, 3)
  await machines.destroy(id, 3)
})

test('a machine whose disk cannot be opened fails with the reason', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { machines } = server.engines
  const id = crypto.randomUUID()
  const volume = { id, name: 'boot', size: 512, slot: 0, boot: true, readOnly: false }
  const source = { path: `${host.data}/missing`, format: 'raw' as const }
  await machines.run(id, smallSpec([{ ...volume, source }]), 1)
  const { phase, failure } = await machines.observe(id)
  expect(phase).toBe('failed')
  expect(failure).toMatch(/^Its host could not start it: .*missing.*No such file or directory/)
  expect(failure).not.toContain(host.data)
  await machines.destroy(id, 1)
})

test('a machine whose QEMU does not answer holds up no other', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { machines } = server.engines
  const { id } = await runGuest(server)
  await until(
    () => machines.observe(id),
    ({ phase }) => expect(phase).toBe('running'),
  )
  signalQemu(id, 'SIGSTOP')
  const stopping = machines.stop(id, 2)
  const other = await runGuest(server)
  await until(
    () => output(server, other.id),
    (seen) => expect(seen).toContain(READY),
  )
  await machines.halt(other.id, 2)
  expect((await machines.observe(other.id)).phase).toBe('failed')
  await machines.destroy(other.id, 2)
  signalQemu(id, 'SIGCONT')
  await stopping
  await until(
    () => machines.observe(id),
    ({ phase }) => expect(phase).toBe('stopped'),
  )
  await machines.destroy(id, 3)
})

test('a viewer that leaves at once leaves nothing behind', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { id } = await runGuest(server)
  await until(
    () => output(server, id),
    (seen) => expect(seen).toContain(READY),
  )
  const { machines, consoles } = server.engines
  const watchers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
  const before = watchers()
  consoles.open(id, { mostRecent: 0 }, closingViewer).leave()
  // A later viewer is served after the first has been.
  const { promise: shown, resolve } = Promise.withResolvers<void>()
  const line = consoles.open(id, { mostRecent: 0 }, { ...closingViewer, resumeAt: () => resolve() })
  await shown
  line.leave()
  consoles.open(id, { mostRecent: 0 }, closingViewer).leave()
  await until(
    async () => watchers(),
    (left) => expect(left).toBe(before),
  )
  await machines.destroy(id, 2)
})
