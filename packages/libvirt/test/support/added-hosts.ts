/** The engine for tests whose machines run on hosts in namespaces, as operators add them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MachineSpec } from '@steading/control-plane/ports'
import { expect } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import type { LibvirtEngineOptions } from '../../src/engine.ts'
import { openTestHost } from './engine.ts'
import { withGuestDisks } from './guest.ts'
import { type NamespaceHost, startHosts, stateOn } from './hosts-in-namespaces.ts'
import { smallSpec } from './open-engines.ts'

export type AddedHosts = Awaited<ReturnType<typeof openAddedHosts>>

/**
 * @param count number of hosts, of which none is added yet
 * @param options of the engine
 * @param inNamespaces options of the hosts
 */
export async function openAddedHosts(
  count: number,
  options: Partial<LibvirtEngineOptions> = {},
  inNamespaces: Parameters<typeof startHosts>[1] = {},
) {
  const { hosts, shared, path, end: endHosts } = await startHosts(count, inNamespaces)
  process.env.PATH = `${path}:${process.env.PATH}`
  const directory = join(shared, 'steading')
  const volumes = join(directory, 'volumes')
  mkdirSync(volumes, { recursive: true })
  const { database, start, remove } = await openTestHost({
    addedHosts: true,
    directory,
    volumes,
    ...options,
  })
  const { engines, log, close } = await start()
  const { machines } = engines
  const phaseOf = (id: string, phase: string) =>
    until(
      () => machines.observe(id),
      (seen) => expect(seen.phase).toBe(phase),
    )
  return {
    hosts,
    directory,
    database,
    engines,
    log,
    /** Waits for a phase of a machine. */
    phaseOf,
    /** The state of a machine on each host, as libvirt says it. */
    statesOf: (id: string) => hosts.map((host) => stateOn(host, id)),
    /** Checks a host, and adds it if it may be added. */
    async add({ address }: NamespaceHost) {
      const { findings, host } = await engines.enrolment!.examine(address)
      if (!host) return { findings }
      await engines.enrolment!.enroll(host, address)
      const sled: MachineSpec['sled'] = { id: crypto.randomUUID(), serial: host.serial }
      return { findings, sled }
    },
    /** Starts a machine with one disk, and waits until it runs. @returns its id */
    async run(sled: MachineSpec['sled']): Promise<string> {
      const id = crypto.randomUUID()
      const source = { path: '', format: 'raw' as const }
      const boot = { name: 'boot', size: 1024 * 1024, slot: 0, boot: true, readOnly: false, source }
      const spec = smallSpec([{ ...boot, id: crypto.randomUUID() }])
      await withGuestDisks(machines, directory).run(id, { ...spec, sled }, 1)
      await phaseOf(id, 'running')
      return id
    },
    async end() {
      await close()
      await remove()
      await endHosts()
    },
  }
}
