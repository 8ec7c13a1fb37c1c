/** Machines that boot by UEFI, and keep its variables with their boot disk. */
import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { long } from '../../../control-plane/test/support/long.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import { runRestore } from '../../../node/src/backup/restore.ts'
import { defaultConfig } from '../../../node/src/config.ts'
import { UEFI_PACKAGE } from '../../src/availability.ts'
import { createFirmware } from '../../src/firmware.ts'
import { machinesMissing } from '../support/libvirt.ts'
import { openTestHost, type TestHost, type TestServer } from '../support/engine.ts'
import { smallSpec } from '../support/open-engines.ts'
import { boots, uefiDisk } from '../support/uefi-guest.ts'

const tools = {
  '/usr/share/OVMF': UEFI_PACKAGE,
  '/sbin/mkfs.vfat': 'dosfstools',
  '/usr/bin/mcopy': 'mtools',
}
const lacking = Object.entries(tools).flatMap(([file, debian]) => (existsSync(file) ? [] : debian))
const missing =
  machinesMissing() ?? (lacking.length > 0 ? `apt-get install ${lacking.join(' ')}` : undefined)
if (missing !== undefined) console.warn(`Machines with UEFI are not tested: ${missing}.`)

describe.skipIf(missing !== undefined)('a disk that boots by UEFI only', () => {
  let host: TestHost
  let server: TestServer
  const volumeId = crypto.randomUUID()
  const disk = missing === undefined ? uefiDisk() : new Uint8Array()

  beforeAll(async () => {
    host = await openTestHost()
    server = await host.start()
    const { volumes } = server.engines
    await volumes.create(volumeId, { size: disk.length, blockSize: 512 }, 1)
    await volumes.write(volumeId, 0, disk)
  })
  afterAll(async () => {
    await server?.close()
    await host?.remove()
  })

  /** Runs a machine from a volume until its guest has said something, and powers it off. */
  async function runOnce(volume: string, said: string, on = server): Promise<void> {
    const { machines, volumes, consoles } = on.engines
    const id = crypto.randomUUID()
    const source = await volumes.attach(volume, id, 1)
    const its = {
      id: volume,
      name: 'boot',
      size: disk.length,
      slot: 0,
      boot: true,
      readOnly: false,
    }
    await machines.run(id, { ...smallSpec([{ ...its, source }]), memory: 128 * 1024 * 1024 }, 1)
    expect((await machines.observe(id)).phase).not.toBe('failed')
    await until(
      async () => new TextDecoder().decode((await consoles.read(id, 0)).data),
      (output) => expect(output).toContain(said),
    )
    expect(on.log.mock.calls).toEqual([])
    expect(await machines.observe(id)).toMatchObject({ firmware: 'uefi' })
    await machines.stop(id, 2)
    await until(
      () => machines.observe(id),
      ({ phase }) => expect(phase).toBe('stopped'),
    )
    await volumes.detach(volume, id, 2)
    await machines.destroy(id, 2)
  }
  const counted = async (id: string) =>
    Buffer.from((await server.engines.volumes.firmwareVariables(id)) ?? []).includes(
      'Count',
      0,
      'utf16le',
    )

  test('boots, and a snapshot has the variables of its firmware', async () => {
    expect(await counted(volumeId)).toBe(false)
    await runOnce(volumeId, boots(1))
    expect(await counted(volumeId)).toBe(true)
    const { volumes } = server.engines
    const [snapshotId, copyId] = [crypto.randomUUID(), crypto.randomUUID()]
    await volumes.createSnapshot(snapshotId, volumeId, 3)
    await volumes.create(copyId, { size: disk.length, blockSize: 512, source: snapshotId }, 1)
    await volumes.deleteSnapshot(snapshotId, 3)
    expect(await counted(snapshotId)).toBe(false)
    expect(await counted(copyId)).toBe(true)
  })

  test('is recognised at the end of its import, and so is what is made of it', async () => {
    const { volumes } = server.engines
    const [imported, snapshot, copy] = [1, 2, 3].map(() => crypto.randomUUID()) as [
      string,
      string,
      string,
    ]
    const its = { size: disk.length, blockSize: 512 }
    await volumes.create(imported, its, 1)
    await volumes.write(imported, 0, disk)
    await volumes.seal(imported)
    await volumes.createSnapshot(snapshot, imported, 1)
    await volumes.create(copy, { ...its, source: snapshot }, 1)
    const rows = await host.database.db
      .selectFrom('libvirt_volume')
      .select('firmware')
      .where('id', 'in', [imported, snapshot, copy])
      .execute()
    expect(rows.map(({ firmware }) => firmware)).toEqual(['uefi', 'uefi', 'uefi'])
    await volumes.deleteSnapshot(snapshot, 2)
    for (const id of [imported, copy]) await volumes.delete(id, 2)
  })

  test('boots by BIOS on a host without UEFI, which says so', async () => {
    const { volumes, host: local } = server.engines
    const found = await local()
    const capabilities = await found.libvirt.domainCapabilities(found.accelerator)
    const domainCapabilities = async () => capabilities.replace('<value>efi</value>', '')
    const without = { ...found, libvirt: { ...found.libvirt, domainCapabilities } }
    const log = vi.fn<(message: string) => void>()
    const firmware = createFirmware(volumes, log)
    const id = crypto.randomUUID()
    const source = (await volumes.sourceOf(volumeId))!
    const its = { id: volumeId, name: 'boot', size: disk.length, slot: 0, readOnly: false, source }
    const spec = smallSpec([{ ...its, boot: true }])
    expect(await firmware.prepare(without, id, spec)).toEqual({ chosen: 'bios', boots: false })
    expect(log).toHaveBeenCalledWith(expect.stringContaining(UEFI_PACKAGE))
  })

  test.runIf(long)('gives the next machine the variables of the one before', async () => {
    await runOnce(volumeId, boots(2))
    await runOnce(volumeId, boots(3))
    expect(await counted(volumeId)).toBe(true)
  })

  test.runIf(long)('is restored from a backup with its variables', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const { volumes } = server.engines
    const id = crypto.randomUUID()
    await volumes.create(id, { size: disk.length, blockSize: 512 }, 1)
    await volumes.write(id, 0, disk)
    await runOnce(id, boots(1))
    const file = `${host.data}.backup`
    onTestFinished(() => rmSync(file, { force: true }))
    // A write of the server that waits for a backup takes no turns with one in this process.
    const program = join(import.meta.dirname, '../../../node/src/main.ts')
    await promisify(execFile)(process.execPath, [program, 'backup', file, '--data', host.data])
    // Later variables are not in it.
    await runOnce(id, boots(2))

    const restored = await openTestHost(
      {},
      {
        data: `${host.data}.restored`,
        fill: (data) => runRestore({ ...defaultConfig(), data }, file),
      },
    )
    onTestFinished(() => restored.remove())
    const other = await restored.start()
    onTestFinished(() => other.close())
    await runOnce(id, boots(2), other)
    await runOnce(id, boots(3), other)
    expect(await counted(id)).toBe(true)
  })
})
