/** Things that happen to a cloud of several hosts: faults, and what users and operators do. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from '@steading/api'
import { expect } from 'vitest'
import { random } from '../../../control-plane/test/support/random.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import { killQemu } from '../../../libvirt/test/support/guest.ts'
import { domainsOn } from './cloud-of-hosts.ts'
import { type CountingInstance, lastNumber } from './counting-instances.ts'
import type { EveryServer } from './every-server.ts'
import type { PoweredHost } from './powered-hosts.ts'
import { clocksMissing } from './server-clocks.ts'

/** Between two questions to a cloud that has other things to do. Milliseconds. */
const ASK_MS = 300
/** Ends a wait in vain; on a busy machine a host takes minutes to start. Milliseconds. */
const HANG_MS = 600_000

/** Waits until the cloud has reacted, however long that takes; the time is printed. */
export const eventually = <T>(ask: () => Promise<T>, check: (answer: T) => void): Promise<T> =>
  until(ask, check, ASK_MS, HANG_MS)

export interface EventfulCloud extends EveryServer {
  hosts: readonly PoweredHost[]
  instances: readonly CountingInstance[]
  servers: number
  killServer: (index: number) => Promise<void>
  restartServer: (index: number) => Promise<void>
  suspendServer: (index: number) => void
  resumeServer: (index: number) => void
  /** Sets the clock of the machine of a server: minutes by which it is ahead. */
  setClock: (index: number, minutes: number) => void
  /** Asks each server for the same. */
  askEach: <T>(path: string) => Promise<T[]>
  killDatabase: () => Promise<void>
  restartDatabase: () => Promise<void>
  /** Reads what the guests have reported by now. */
  readReports: () => Promise<void>
}

/** The random choices of an event, from 0 to 1 each. */
interface Choices {
  instance: number
  host: number
  server: number
  /** The moment of a fault, or how long it lasts. */
  moment: number
}

const pick = <T>(all: readonly T[], choice: number): T => all[Math.floor(choice * all.length)]!

const positionOf = (cloud: EventfulCloud, { id }: CountingInstance) =>
  cloud.call<Wire.InstanceSledView>('GET', `/x/v1/instances/${id}/sled`)

const isOn = ({ sledId }: PoweredHost, { sled }: Wire.InstanceSledView) => sled?.id === sledId

/** Waits until all instances run, on other hosts than one. */
const runElsewhere = (cloud: EventfulCloud, host: PoweredHost) =>
  eventually(
    async () => {
      const positions = await Promise.all(
        cloud.instances.map((instance) => positionOf(cloud, instance)),
      )
      return positions.map((position) => position.sled !== null && !isOn(host, position))
    },
    (elsewhere) => expect(elsewhere).not.toContain(false),
  )

const hasStopped = (cloud: EventfulCloud, id: string) =>
  eventually(
    () => cloud.call<Wire.Instance>('GET', `/v1/instances/${id}`),
    ({ run_state }) => expect(run_state).toBe('stopped'),
  )

/** Waits until the cloud has switched a host off. */
const isSwitchedOff = (host: PoweredHost) =>
  eventually(
    async () => host.isOn(),
    (on) => expect(on).toBe(false),
  )

/** Begins to move an instance to another host. */
async function beginMove(cloud: EventfulCloud, { instance, host }: Choices) {
  const moved = pick(cloud.instances, instance)
  const position = await positionOf(cloud, moved)
  const from = cloud.hosts.find((one) => isOn(one, position))!
  const to = pick(
    cloud.hosts.filter((one) => one !== from),
    host,
  )
  const { id } = await cloud.call<Wire.InstanceMove>(
    'POST',
    `/x/v1/system/hardware/sleds/${from.sledId}/instances/${moved.id}/move`,
    { sled_id: to.sledId },
  )
  const ended = () =>
    eventually(
      () => positionOf(cloud, moved),
      ({ move }) => expect(move).not.toMatchObject({ id, state: 'moving' }),
    )
  return { from, to, ended }
}

/** Longest time in which a move may be interrupted after it was asked for. Milliseconds. */
const MOVE_MS = 5_000
/** Longest time of a fault that the cloud is to survive without a reaction. Milliseconds. */
const BRIEF_MS = 8_000

/** Furthest that a clock jumps, ahead or back. Minutes. */
const JUMP = 20

const maintenanceOf = ({ sledId }: PoweredHost) =>
  `/x/v1/system/hardware/sleds/${sledId}/maintenance`

/** Each kind of event; all of them leave everything in order but the cloud itself. */
const kinds = {
  async 'a server is killed'(cloud, { server, moment }) {
    const index = Math.floor(server * cloud.servers)
    await cloud.killServer(index)
    await pause(moment * BRIEF_MS)
    await cloud.restartServer(index)
  },
  async 'a server hangs while a host is cut off'(cloud, { host, server, moment }) {
    const at = pick(cloud.hosts, host)
    const index = Math.floor(server * cloud.servers)
    at.link(false)
    await pause(moment * BRIEF_MS)
    cloud.suspendServer(index)
    await pause(moment * BRIEF_MS)
    at.link(true)
    await pause(moment * BRIEF_MS)
    cloud.resumeServer(index)
  },
  async 'the clock of a server jumps, and back'(cloud, { instance, server, moment }) {
    const index = Math.floor(server * cloud.servers)
    cloud.setClock(index, Math.round((2 * instance - 1) * JUMP))
    await pause(moment * BRIEF_MS)
    cloud.setClock(index, 0)
  },
  async 'the clock of a server jumps while a host is cut off until it is switched off'(
    cloud,
    { host, instance, server },
  ) {
    const at = pick(cloud.hosts, host)
    const index = Math.floor(server * cloud.servers)
    at.link(false)
    cloud.setClock(index, Math.round((2 * instance - 1) * JUMP))
    await isSwitchedOff(at)
    await runElsewhere(cloud, at)
    cloud.setClock(index, 0)
    await at.on()
  },
  async 'all servers are killed'(cloud) {
    const all = Array.from({ length: cloud.servers }, (_, index) => index)
    await Promise.all(all.map(cloud.killServer))
    for (const index of all) await cloud.restartServer(index)
  },
  async 'the database is killed'(cloud, { moment }) {
    await cloud.killDatabase()
    await pause(moment * BRIEF_MS)
    await cloud.restartDatabase()
  },
  async 'libvirtd is killed'({ hosts }, { host, moment }) {
    const at = pick(hosts, host)
    at.signal('libvirtd', 'SIGKILL')
    await pause(moment * BRIEF_MS)
    await at.restart('libvirtd')
  },
  async 'QEMU is killed'(cloud, { instance }) {
    const position = await positionOf(cloud, pick(cloud.instances, instance))
    const domains = domainsOn(cloud.hosts.find((one) => isOn(one, position))!)
    killQemu(pick(domains, instance).slice('steading-'.length))
  },
  async 'a host loses its power for a moment'({ hosts }, { host }) {
    const at = pick(hosts, host)
    await at.off()
    await at.on()
  },
  async 'a host loses its power until its instances run elsewhere'(cloud, { host }) {
    const at = pick(cloud.hosts, host)
    await at.off()
    await runElsewhere(cloud, at)
    await at.on()
  },
  async 'a host is cut off for a moment'({ hosts }, { host, moment }) {
    const at = pick(hosts, host)
    at.link(false)
    await pause(moment * BRIEF_MS)
    at.link(true)
  },
  async 'a host loses its power, and a server is killed'(cloud, { host, server, moment }) {
    const at = pick(cloud.hosts, host)
    const index = Math.floor(server * cloud.servers)
    await Promise.all([at.off(), cloud.killServer(index)])
    await pause(moment * BRIEF_MS)
    await cloud.restartServer(index)
    await runElsewhere(cloud, at)
    await at.on()
  },
  async 'a host is cut off, and the database is killed'(cloud, { host, moment }) {
    const at = pick(cloud.hosts, host)
    at.link(false)
    await cloud.killDatabase()
    await pause(moment * BRIEF_MS)
    await cloud.restartDatabase()
    at.link(true)
  },
  async 'a host is cut off until it is switched off'(cloud, { host }) {
    const at = pick(cloud.hosts, host)
    at.link(false)
    await isSwitchedOff(at)
    await runElsewhere(cloud, at)
    await at.on()
  },
  async 'an instance is to reboot on a host that is cut off'(cloud, { instance }) {
    const rebooted = pick(cloud.instances, instance)
    const position = await positionOf(cloud, rebooted)
    const at = cloud.hosts.find((one) => isOn(one, position))!
    at.link(false)
    await cloud.call('POST', `/v1/instances/${rebooted.id}/reboot`)
    await isSwitchedOff(at)
    await runElsewhere(cloud, at)
    await at.on()
  },
  async 'an instance moves'(cloud, choices) {
    const { ended } = await beginMove(cloud, choices)
    await ended()
  },
  async 'an instance moves, and its new host loses its power'(cloud, choices) {
    const { to, ended } = await beginMove(cloud, choices)
    await pause(choices.moment * MOVE_MS)
    await to.off()
    await to.on()
    await ended()
  },
  async 'an instance moves, and its old host loses its power'(cloud, choices) {
    const { from, ended } = await beginMove(cloud, choices)
    await pause(choices.moment * MOVE_MS)
    await from.off()
    await from.on()
    await ended()
  },
  async 'an instance moves, and its new host is cut off'(cloud, choices) {
    const { to, ended } = await beginMove(cloud, choices)
    await pause(choices.moment * MOVE_MS)
    to.link(false)
    await isSwitchedOff(to)
    await ended()
    await to.on()
  },
  async 'an instance moves, and its old host is cut off'(cloud, choices) {
    const { from, ended } = await beginMove(cloud, choices)
    await pause(choices.moment * MOVE_MS)
    from.link(false)
    await isSwitchedOff(from)
    await ended()
    await from.on()
  },
  async 'an instance moves, and a server is killed'(cloud, choices) {
    const { ended } = await beginMove(cloud, choices)
    const index = Math.floor(choices.server * cloud.servers)
    await pause(choices.moment * MOVE_MS)
    await cloud.killServer(index)
    await ended()
    await cloud.restartServer(index)
  },
  async 'an instance moves, and the new libvirtd is killed'(cloud, choices) {
    const { to, ended } = await beginMove(cloud, choices)
    await pause(choices.moment * MOVE_MS)
    to.signal('libvirtd', 'SIGKILL')
    await to.restart('libvirtd')
    await ended()
  },
  async 'an instance reboots'(cloud, { instance }) {
    await cloud.call('POST', `/v1/instances/${pick(cloud.instances, instance).id}/reboot`)
  },
  async 'an instance stops and starts'(cloud, { instance }) {
    const { id } = pick(cloud.instances, instance)
    await cloud.call('POST', `/v1/instances/${id}/stop`)
    await hasStopped(cloud, id)
    await cloud.call('POST', `/v1/instances/${id}/start`)
  },
  async 'the storage of a host is away, and its QEMUs are killed'({ hosts }, { host, moment }) {
    const at = pick(hosts, host)
    at.storage(false)
    for (const domain of domainsOn(at)) killQemu(domain.slice('steading-'.length))
    await pause(moment * BRIEF_MS)
    at.storage(true)
  },
  async 'a host is in maintenance'(cloud, { host, moment }) {
    const at = pick(cloud.hosts, host)
    const place = maintenanceOf(at)
    await cloud.call('POST', place, { reason: 'New fans', unmovable: 'leave' })
    // Every other one is ended before its instances have moved.
    if (moment < 0.5) await pause(moment * MOVE_MS)
    else await runElsewhere(cloud, at)
    await cloud.call('DELETE', place)
  },
} satisfies Record<string, (cloud: EventfulCloud, choices: Choices) => Promise<void>>

export type EventKind = keyof typeof kinds
/** Those that can happen here. */
export const eventKinds = (Object.keys(kinds) as EventKind[]).filter(
  (kind) => clocksMissing() === undefined || !kind.startsWith('the clock of a server'),
)

export interface CloudEvent extends Choices {
  kind: EventKind
}

export const eventOf = (kind: EventKind): CloudEvent => ({
  kind,
  instance: random(),
  host: random(),
  server: random(),
  moment: random(),
})

/** Random events; each kind once before any comes again. */
export function randomEvents(count: number): CloudEvent[] {
  const events: CloudEvent[] = []
  while (events.length < count) {
    const order = eventKinds.map((kind) => ({ kind, rank: random() }))
    order.sort((one, other) => one.rank - other.rank)
    events.push(...order.map(({ kind }) => eventOf(kind)))
  }
  return events.slice(0, count)
}

export const happens = (cloud: EventfulCloud, event: CloudEvent): Promise<void> =>
  kinds[event.kind](cloud, event)

/**
 * The things that are not yet as they should be, in words; none if the cloud is at rest.
 * @param counted the last number that each instance had reported before
 */
async function unrest(cloud: EventfulCloud, counted: ReadonlyMap<string, number>) {
  const wrong: string[] = []
  for (const host of cloud.hosts) {
    if (host.isOn()) continue
    // The cloud has switched it off; its operator switches it on again.
    wrong.push(`${host.name} was off`)
    await host.on()
  }
  const answers = await cloud.askEach<{ items: Wire.Host[] }>('/x/v1/system/hosts')
  for (const { name, fencing, connection } of answers.flatMap(({ items }) => items)) {
    if (fencing.state !== 'idle') wrong.push(`${name} is ${fencing.state}: ${fencing.reason}`)
    if (connection?.connected === false) wrong.push(`${name} is away: ${connection.reason}`)
  }
  const { items: sleds } = await cloud.call<{ items: Wire.SledDetails[] }>(
    'GET',
    '/x/v1/system/hardware/sleds',
  )
  for (const { id, responding } of sleds) if (!responding) wrong.push(`sled ${id} is silent`)
  // A pool is looked at once a minute.
  const { items: pools } = await cloud.call<{ items: Wire.StoragePool[] }>(
    'GET',
    '/x/v1/system/storage-pools',
  )
  for (const { name, hosts: asked } of pools) {
    for (const { serial, problem } of asked) {
      if (problem !== null) wrong.push(`${serial} does not reach the pool ${name}: ${problem}`)
    }
  }
  for (const instance of cloud.instances) {
    const { name, id } = instance
    const { run_state } = await cloud.call<Wire.Instance>('GET', `/v1/instances/${id}`)
    if (run_state !== 'running') wrong.push(`${name} is ${run_state}`)
    const { move } = await positionOf(cloud, instance)
    if (move?.state === 'moving') wrong.push(`${name} moves`)
    const last = lastNumber(instance)
    if (last <= counted.get(name)!) wrong.push(`${name} has not counted on from ${last}`)
  }
  const domains = cloud.hosts.flatMap((host) => domainsOn(host))
  if (new Set(domains).size !== domains.length) wrong.push('a domain runs on two hosts')
  if (domains.length !== cloud.instances.length) wrong.push(`${domains.length} domains run`)
  return wrong
}

/** Waits until nothing is stuck any more: all hosts answer, and the guests count on. */
export async function rest(cloud: EventfulCloud): Promise<void> {
  await cloud.readReports()
  const counted = new Map(cloud.instances.map((instance) => [instance.name, lastNumber(instance)]))
  await eventually(
    () => unrest(cloud, counted),
    (wrong) => expect(wrong).toEqual([]),
  )
}
