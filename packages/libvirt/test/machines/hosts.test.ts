/** Operators see the host, and domains that belong to nobody. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import { hostSerial } from '../../src/host.ts'
import { openTestHost, runGuest, type TestHost } from '../support/engine.ts'

let host: TestHost
beforeAll(async () => {
  host = await openTestHost({ reportMs: 200 })
})
afterAll(() => host?.remove())

test('a host reports its software, its storage and orphaned domains', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { hosts, machines, host: local } = server.engines
  const { libvirt, accelerator } = await local()
  const facts = await until(
    () => hosts.facts(hostSerial()),
    (seen) => expect(seen).toBeDefined(),
  )
  expect(facts).toMatchObject({
    uri: libvirt.uri,
    accelerator: accelerator === 'kvm' ? 'kvm' : 'none',
    architecture: 'x86_64',
    storage: { path: join(host.data, 'libvirt', 'volumes') },
  })
  expect(facts!.libvirtVersion).toMatch(/^\d+\.\d+\.\d+$/)
  expect(facts!.storage.free).toBeGreaterThan(0)
  expect(facts!.acceleratorProblem).toEqual(
    accelerator === 'kvm' ? undefined : expect.stringMatching(/kvm/i),
  )
  expect(facts!.uefiProblem).toEqual(
    existsSync('/usr/share/OVMF') ? undefined : expect.stringContaining('ovmf'),
  )
  expect(await hosts.facts('another')).toBeUndefined()

  const { id } = await runGuest(server)
  const own = async () => {
    const found = await hosts.orphanedDomains(100)
    return found.filter(({ uuid }) => uuid === id)
  }
  const summary = await hosts.summary()
  expect(summary).toMatchObject({ abilities: { machine: expect.stringContaining('q35') } })
  const logs: string[] = []
  for await (const { name, text } of hosts.logs()) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024)
    logs.push(name)
  }
  expect(logs).toContain(`qemu/steading-${id}.log`)
  expect(await own()).toEqual([])

  // The row is lost, as after restoring an older backup.
  const row = await host.database.db
    .selectFrom('libvirt_machine')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await host.database.db.deleteFrom('libvirt_machine').where('id', '=', id).execute()
  const [lost] = await until(own, (found) => expect(found).toHaveLength(1))
  expect(lost).toMatchObject({ name: `steading-${id}`, host: hostSerial(), uri: libvirt.uri })
  expect((await libvirt.status(id))?.state).toBe('running')
  await host.database.db.insertInto('libvirt_machine').values(row).execute()
  await until(own, (found) => expect(found).toEqual([]))
  await machines.destroy(id, 2)
})

test('domains of another data directory count as lost when it is gone', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { hosts, host: local } = server.engines
  const { libvirt } = await local()
  const other = join(host.data, 'other & more')
  mkdirSync(other)
  writeFileSync(join(other, 'owner'), 'another')
  const uuid = crypto.randomUUID()
  await libvirt.define(
    uuid,
    `<domain type='qemu'><name>steading-${uuid}</name><uuid>${uuid}</uuid><memory>32768</memory>
      <metadata><m:machine xmlns:m='https://steading.dev/xml/libvirt/1' owner='another'/></metadata>
      <os><type arch='x86_64' machine='q35'>hvm</type></os>
      <devices><disk type='file' device='cdrom'><source file='${other.replace('&', '&amp;')}/machines/${uuid}/seed.iso'/>
      <target dev='sda' bus='sata'/><readonly/></disk></devices></domain>`,
  )
  onTestFinished(() => libvirt.undefine(uuid))
  const own = async () => (await hosts.orphanedDomains(100)).filter((lost) => lost.uuid === uuid)
  /** Waits until the host has reported twice, so that one search began later. */
  const searched = async () => {
    const reported = async () => (await hosts.facts(hostSerial()))?.reported.getTime() ?? 0
    for (let round = 0; round < 2; round++) {
      const before = await reported()
      await until(reported, (seen) => expect(seen).toBeGreaterThan(before))
    }
  }
  await searched()
  expect(await own()).toEqual([])
  rmSync(other, { recursive: true })
  await until(own, (found) => expect(found).toHaveLength(1))
})
