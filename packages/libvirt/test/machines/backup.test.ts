/** A backup of running machines, restored beside them. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { runRestore, runVerify } from '../../../node/src/backup/restore.ts'
import { defaultConfig } from '../../../node/src/config.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import { openTestHost, runGuest, type TestHost, type TestServer } from '../support/engine.ts'
import { smallSpec } from '../support/open-engines.ts'
import { guestDisk } from '../support/guest.ts'

// Backups are made in processes of their own: a write of the server that waits for one takes no turns.
const run = promisify(execFile)
const program = join(import.meta.dirname, '../../../node/src/main.ts')

let host: TestHost
let server: TestServer

beforeAll(async () => {
  host = await openTestHost()
  server = await host.start()
})
afterAll(async () => {
  await server?.close()
  await host?.remove()
})

test('machines of a backup start again with their disks, and the old ones run on', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const { machines, volumes } = server.engines
  const [blank, kept] = [crypto.randomUUID(), crypto.randomUUID()]
  await volumes.create(blank, { size: 65_536, blockSize: 512 }, 1)
  await volumes.write(blank, 0, new Uint8Array(512).fill(1))
  await volumes.createSnapshot(kept, blank, 1)
  const { id, volumeId } = await runGuest(server)
  onTestFinished(() => machines.destroy(id, undefined))
  await until(
    () => machines.observe(id),
    ({ phase }) => expect(phase).toBe('running'),
  )

  const file = `${host.data}.backup`
  onTestFinished(() => {
    // One that was killed has a name of its own.
    for (const name of readdirSync(dirname(file))) {
      const path = join(dirname(file), name)
      if (path.startsWith(file)) rmSync(path, { force: true })
    }
  })
  /** Kills a backup once it has begun to take the disks. */
  const killBackup = async (to: string) => {
    const killed = spawn(process.execPath, [program, 'backup', to, '--data', host.data])
    const ended = once(killed, 'close')
    await until(
      async () => readdirSync(join(host.data, 'libvirt/volumes')),
      (names) => expect(names).toContain('.backup'),
    )
    killed.kill('SIGKILL')
    await ended
  }
  await killBackup(file)
  expect(existsSync(file)).toBe(false)
  expect((await machines.observe(id)).phase).toBe('running')
  const { stdout } = await run(process.execPath, [program, 'backup', file, '--data', host.data])
  expect(stdout).toContain('Backed up the state of')
  await runVerify(file)
  // Nothing of it stays, nor of the one that was killed.
  expect(readdirSync(join(host.data, 'libvirt/volumes'))).not.toContain('.backup')
  await volumes.write(blank, 0, new Uint8Array(512).fill(2))

  // The disks of the other data directory are on a disk of their own.
  const disks = `${host.data}.disks`
  mkdirSync(disks, { mode: 0o711 })
  onTestFinished(() => rmSync(disks, { recursive: true }))
  const restored = await openTestHost(
    { volumes: disks },
    {
      data: `${host.data}.restored`,
      fill: (data) => runRestore({ ...defaultConfig(), data, libvirtVolumes: disks }, file),
    },
  )
  onTestFinished(() => restored.remove())
  const other = await restored.start()
  onTestFinished(() => other.close())
  expect(await other.engines.machines.list()).toEqual([])
  expect((await machines.observe(id)).phase).toBe('running')
  const bytes = async (of: string) => Uint8Array.from(await other.engines.volumes.read(of, 0, 512))
  expect(await bytes(blank)).toEqual(new Uint8Array(512).fill(1))
  expect(await bytes(kept)).toEqual(new Uint8Array(512).fill(1))
  await other.engines.volumes.detach(volumeId, id, 2)
  expect(await bytes(volumeId)).toEqual(guestDisk().subarray(0, 512))

  const next = crypto.randomUUID()
  expect(await volumes.check(volumeId, async () => {})).toEqual([])
  expect(existsSync(join(restored.data, 'libvirt/volumes'))).toBe(false)
  const source = await other.engines.volumes.attach(volumeId, next, 1)
  const volume = { id: volumeId, name: 'boot', size: 1_048_576, slot: 0, boot: true }
  await other.engines.machines.run(next, smallSpec([{ ...volume, readOnly: false, source }]), 1)
  onTestFinished(() => other.engines.machines.destroy(next, undefined))
  await until(
    () => other.engines.machines.observe(next),
    ({ phase }) => expect(phase).toBe('running'),
  )
  expect(server.log.mock.calls).toEqual([])
})
