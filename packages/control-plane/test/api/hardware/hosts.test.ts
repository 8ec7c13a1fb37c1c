/** Hosts with an operating system, as operators see them through the API. */
import type { Engine, Engines, HostFacts, Hosts } from '@steading/control-plane/ports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from '../../../../node/src/engine.ts'
import { addBundle, fileOf, filesOf } from '../../support/bundles.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'

const found = new Date('2026-01-02T03:04:05.000Z')
const uuid = 'c0f8f869-c10d-4de4-80d8-7432170c838c'
const uri = 'qemu:///system'
const facts: HostFacts = {
  reported: found,
  libvirtVersion: '9.0.0',
  qemuVersion: '7.2.0',
  uri,
  accelerator: 'none',
  acceleratorProblem: 'There is no /dev/kvm',
  uefiProblem: 'UEFI for guests is missing',
  architecture: 'x86_64',
  cpuModel: 'A processor',
  storage: { path: '/data/libvirt/volumes', size: 2000, free: 1000 },
}

/** Serial number of the sled that is a host. */
let serial = ''
const hosts: Hosts = {
  facts: async (of) => (of === serial ? facts : undefined),
  silentSince: (of) => (of === serial ? found : undefined),
  orphanedDomains: async () => [{ host: serial, uuid, name: `steading-${uuid}`, uri, found }],
  summary: async () => ({ qemu: '7.2.0' }),
  async *logs() {
    yield { name: 'qemu/machine.log', text: 'password=hunter2\nstarted\n' }
  },
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({}, async (config) => {
    const { engine } = await createEngine(config)
    const open: Engine['open'] = (parts): Engines => ({ ...engine.open(parts), hosts })
    return { ...engine, open }
  })
})
afterAll(() => server.close())

test('operators see the host of a sled, domains of nobody, and the logs of both', async () => {
  const { admin } = server
  const [sled, other] = (await admin.call('sled_list')).items
  serial = sled!.baseboard.serial
  const view = (id: string) => admin.call('sled_host_view', { params: { sled_id: id } })
  const commands = [
    `virsh -c qemu:///system destroy ${uuid}`,
    `virsh -c qemu:///system undefine --managed-save --snapshots-metadata --nvram ${uuid}`,
  ]
  expect(await view(other!.id)).toEqual({ host: null })
  expect(await view(sled!.id)).toMatchObject({
    host: {
      libvirt_version: '9.0.0',
      accelerator: 'none',
      accelerator_problem: 'There is no /dev/kvm',
      uefi_problem: 'UEFI for guests is missing',
      storage_free: 1000,
      orphaned_domains: [{ uuid, time_found: found.toISOString(), commands }],
    },
  })

  const issues = (await admin.call('issue_list')).items
  expect(issues.filter(({ kind }) => kind === 'domain_without_instance')).toEqual([
    {
      id: `domain_without_instance:${uuid}`,
      kind: 'domain_without_instance',
      severity: 'warning',
      sentence: `No instance owns domain steading-${uuid} on host ${serial}`,
      time_began: found.toISOString(),
      path: `/system/inventory/sleds/${sled!.id}/instances`,
      next: 'See how to remove it',
    },
  ])
  expect(issues.filter(({ kind }) => kind === 'host_silent')).toMatchObject([
    { id: `host_silent:${sled!.id}`, severity: 'critical', time_began: found.toISOString() },
  ])

  const { id } = await addBundle(admin)
  expect(JSON.parse(await fileOf(admin, id, 'inventory/host.json'))).toEqual({ qemu: '7.2.0' })
  expect(await filesOf(admin, id)).toContain('log/qemu/machine.log')
  const log = await fileOf(admin, id, 'log/qemu/machine.log')
  expect(log).toBe('password=[left out]\nstarted\n')
})
