/** Moves whose end nobody has seen: the guest may have run at the other host, or not. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MachineSpec } from '@steading/control-plane/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import { domainName } from '../../src/domain-names.ts'
import { openLibvirt } from '../../src/native/libvirt.ts'
import { failures } from '../../src/state.ts'
import { openTestHost, type TestHost, type TestServer } from '../support/engine.ts'
import { withGuestDisks } from '../support/guest.ts'
import {
  hostsMissing,
  type NamespaceHosts,
  startHosts,
  stateOn,
} from '../support/hosts-in-namespaces.ts'
import { smallSpec } from '../support/open-engines.ts'

const missing = hostsMissing()
if (missing !== undefined) console.warn(`Interrupted moves are left out: ${missing}.`)

describe.skipIf(missing !== undefined)('a move that was interrupted', () => {
  let all: NamespaceHosts
  let host: TestHost
  let server: TestServer
  let machines: ReturnType<typeof withGuestDisks>
  const sleds: MachineSpec['sled'][] = []

  beforeAll(async () => {
    all = await startHosts(2)
    process.env.PATH = `${all.path}:${process.env.PATH}`
    const directory = join(all.shared, 'steading')
    mkdirSync(join(directory, 'volumes'), { recursive: true })
    host = await openTestHost({ addedHosts: true, directory, volumes: join(directory, 'volumes') })
    server = await host.start()
    machines = withGuestDisks(server.engines.machines, directory)
    const { enrolment } = server.engines
    for (const { address } of all.hosts) {
      const { host: found } = await enrolment!.examine(address)
      await enrolment!.enroll(found!, address)
      sleds.push({ id: crypto.randomUUID(), serial: found!.serial })
    }
  })
  afterAll(async () => {
    await server?.close()
    await host?.remove()
    await all?.end()
  })

  /** A machine on the first host that libvirt has paused there, as at the end of its move. */
  async function pausedMachine(): Promise<string> {
    const id = crypto.randomUUID()
    const volume = { id: crypto.randomUUID(), name: 'boot', size: 1024 * 1024, slot: 0, boot: true }
    const source = { path: '', format: 'raw' as const }
    const spec = smallSpec([{ ...volume, readOnly: false, source }])
    await machines.run(id, { ...spec, sled: sleds[0]! }, 1)
    await phaseOf(id, 'running')
    execFileSync('virsh', ['-q', '-c', all.hosts[0]!.socketUri, 'suspend', domainName(id)])
    return id
  }
  const phaseOf = (id: string, phase: string) =>
    until(
      () => machines.observe(id),
      (seen) => expect(seen.phase).toBe(phase),
    )
  const states = (id: string) => all.hosts.map((one) => stateOn(one, id))
  const move = (id: string, moveId: string) => machines.migrate!(id, sleds[1]!, 1, moveId)

  test('begins again if the guest did not run at the other host @long', async () => {
    const id = await pausedMachine()
    await move(id, crypto.randomUUID())
    await until(
      async () => states(id),
      (found) => expect(found).toEqual(['none', 'running']),
    )
    await phaseOf(id, 'running')
    await machines.destroy(id, 1)
  })

  test('ends the guest that ran at the other host, and ended there @long', async () => {
    const id = await pausedMachine()
    // libvirt defines a domain before its guest runs; its QEMU has been killed.
    const other = await openLibvirt(all.hosts[1]!.socketUri)
    const memory = '<memory>1024</memory><os><type arch="x86_64">hvm</type></os>'
    const name = `<name>${domainName(id)}</name><uuid>${id}</uuid>`
    await other.define(id, `<domain type="qemu">${name}${memory}</domain>`)
    await other.close()
    await move(id, crypto.randomUUID())
    const { failure } = await phaseOf(id, 'failed')
    expect(failure).toBe(failures.ranElsewhere)
    await until(
      async () => states(id),
      (found) => expect(found).toEqual(['shut off', 'none']),
    )
    await machines.destroy(id, 1)
  })

  test('ends with the other host, which had the guest alone and is proven to be off @long', async () => {
    const id = await pausedMachine()
    const moveId = crypto.randomUUID()
    await all.hosts[1]!.kill()
    await move(id, moveId)
    // libvirt removes the guest here once it knows that it runs there; the server has not seen that.
    execFileSync('virsh', ['-q', '-c', all.hosts[0]!.socketUri, 'destroy', domainName(id)])
    await machines.cancelMove!(id, moveId, 1)
    expect((await machines.observe(id)).phase).toBe('running')
    await machines.cancelMove!(id, moveId, 1, true)
    const { failure } = await phaseOf(id, 'failed')
    expect(failure).toBe(failures.ranElsewhere)
    await machines.destroy(id, 1)
    await until(
      () => host.database.db.selectFrom('libvirt_machine').select('id').execute(),
      (rows) => expect(rows).toEqual([]),
    )
    await all.hosts[1]!.boot()
  })

  test('waits for the other host until that is proven to be off @long', async () => {
    const id = await pausedMachine()
    const moveId = crypto.randomUUID()
    await all.hosts[1]!.kill()
    await move(id, moveId)
    await until(
      async () => server.log.mock.calls.map(([message]) => message),
      (messages) => expect(messages).toContain('moving a machine failed'),
    )
    await machines.cancelMove!(id, moveId, 1)
    expect((await machines.observe(id)).phase).toBe('running')
    expect(stateOn(all.hosts[0]!, id)).toBe('paused')
    await machines.cancelMove!(id, moveId, 1, true)
    const { failure } = await phaseOf(id, 'failed')
    expect(failure).toBe(failures.ranElsewhere)
    expect(stateOn(all.hosts[0]!, id)).toBe('shut off')
    // It is removed without the other host.
    await machines.destroy(id, 1)
    await until(
      () => host.database.db.selectFrom('libvirt_machine').select('id').execute(),
      (rows) => expect(rows).toEqual([]),
    )
    await all.hosts[1]!.boot()
  })
})
