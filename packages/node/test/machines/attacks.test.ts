/**
 * Real guests, while the servers, QEMU and libvirt's daemon are killed. The daemon belongs to the
 * whole host, so these tests run alone.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { random } from '../../../control-plane/test/support/random.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import { guestDisk, killQemu, READY } from '../../../libvirt/test/support/guest.ts'
import { type Cloud, embeddedCloud, type Servers, sharedCloud } from '../kill/cloud.ts'
import { domainsOf, libvirtUri } from '../../../libvirt/test/support/domains.ts'
import { importGuest } from '../support/guest-snapshot.ts'
import { startServersWithGuests } from '../support/guests.ts'
import { temporaryDirectory } from '../support/process.ts'
import { type Api, listAll, settled, Worker } from '../kill/workload.ts'

const KILLS = 20
const WORKERS = 2
/** Maximum number of acknowledgements before a kill. */
const MOST_BEFORE_KILL = 6
const MOMENT_MS = 500
const SETTLES_MS = 180_000
const TIMEOUT = { timeout: 1_800_000 }

/** Ids of a cloud's machines that QEMU runs. One with two processes is there twice. */
function runningMachines({ data }: Cloud): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      if (!command.includes(`${data}/`)) return []
      return command.match(/(?<=guest=steading-)[0-9a-f-]{36}(?=,)/) ?? []
    } catch {
      // It has just ended.
      return []
    }
  })
}

/** Starts servers with real machines, and makes a snapshot with the guest of the tests. */
async function start(cloud: Cloud, count: number): Promise<Servers & { diskSource: object }> {
  const servers = await startServersWithGuests(cloud, count)
  const api = servers.api(0)
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await api(method, path, body)
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  // Nothing of deleted disks is to be left.
  await call('PUT', '/x/v1/deletion-policy', { restorable_hours: 0 })
  const diskSource = await importGuest(call, guestDisk().subarray(0, 512))
  return { ...servers, diskSource }
}

/** Differences between the instances, libvirt's domains, and the processes of QEMU. */
async function differences(cloud: Cloud, instances: readonly any[]): Promise<string[]> {
  const { ask } = cloud
  const rows = await ask(
    'select id, vm_id, last_vm_id, run_state from instance where time_deleted is null',
  )
  const machines = new Map(rows.map((row: any) => [row.vm_id, row.run_state]))
  const wrong: string[] = []
  const running = runningMachines(cloud)
  for (const [machine, state] of machines) {
    if (!machine) continue
    const processes = running.filter((id) => id === machine).length
    if (processes !== (state === 'running' ? 1 : 0))
      wrong.push(`machine ${machine} is ${state} and has ${processes} processes`)
  }
  const engine = await ask('select id from libvirt_machine')
  // The last machine of a stopped instance keeps its console.
  const kept = new Set(rows.flatMap((row: any) => [row.vm_id, row.last_vm_id]))
  for (const { id } of engine as { id: string }[])
    if (!kept.has(id)) wrong.push(`machine ${id} has no instance`)
  if (rows.length !== instances.length) wrong.push('the list differs from the database')
  return wrong
}

/** Deletes everything, and expects nothing of it to be left on the host. */
async function deleteAll(cloud: Cloud, api: Api): Promise<void> {
  for (const { id } of await listAll(api, 'instances')) {
    await until(
      async () => {
        await api('POST', `/v1/instances/${id}/stop`)
        return (await api('DELETE', `/v1/instances/${id}`)).status
      },
      (status) => expect(status).toBe(204),
    )
  }
  for (const { id } of await listAll(api, 'disks')) await api('DELETE', `/v1/disks/${id}`)
  const left = async () => {
    const machines = readdirSync(join(cloud.data, 'libvirt/machines'))
    const running = runningMachines(cloud)
    const layers = await cloud.ask('select layer_id from libvirt_volume where is_snapshot = 0')
    const domains = domainsOf(cloud.data)
    return { machines, running, layers, domains }
  }
  await expect
    .poll(left, { timeout: SETTLES_MS })
    .toEqual({ machines: [], running: [], layers: [], domains: [] })
}

/** Lets users work on servers that are killed in turn. */
async function killedServers(cloud: Cloud, servers: number) {
  const { api: apiOf, kill, restart, diskSource } = await start(cloud, servers)
  let acknowledged = 0
  let reached = { at: Infinity, resolve: () => {} }
  const workers = Array.from(
    { length: WORKERS },
    (_, index) =>
      new Worker(`w${index}`, () => ++acknowledged >= reached.at && reached.resolve(), {
        most: 3,
        diskSource,
      }),
  )
  for (let round = 0; round < KILLS; round++) {
    const victim = round % servers
    const enough = new Promise<void>((resolve) => {
      reached = { at: acknowledged + Math.ceil(random() * MOST_BEFORE_KILL), resolve }
    })
    const working = Promise.all(workers.map((worker) => worker.work(apiOf(victim))))
    await Promise.race([working, enough])
    await pause(random() * MOMENT_MS)
    await kill(victim)
    await working
    await restart(victim)
  }
  return { api: apiOf(0), workers, acknowledged }
}

const clouds: [string, number, () => Cloud | Promise<Cloud>][] = [
  ['a server', 1, () => embeddedCloud(temporaryDirectory())],
  ['two servers in turn', 2, () => sharedCloud('template1')],
]
test.each(clouds)(`real guests outlive ${KILLS} kills of %s`, TIMEOUT, async (_, count, make) => {
  const cloud = await make()
  const { api, workers, acknowledged } = await killedServers(cloud, count)
  expect(acknowledged).toBeGreaterThan(KILLS)
  const instances = await settled(api, SETTLES_MS)
  for (const worker of workers) expect(worker.broken(instances)).toEqual([])
  await expect.poll(() => differences(cloud, instances), { timeout: SETTLES_MS }).toEqual([])
  await deleteAll(cloud, api)
})

/** Creates and starts an instance of the guest, and waits until it runs. */
async function runInstance(api: Api, name: string, diskSource: object): Promise<any> {
  const { status, body } = await api('POST', '/v1/instances?project=work', {
    name,
    description: '',
    hostname: name,
    ncpus: 1,
    memory: 1024 ** 3,
    start: true,
    auto_restart_policy: 'never',
    boot_disk: {
      type: 'create',
      name: `${name}-disk`,
      description: '',
      size: 1024 ** 3,
      disk_backend: { type: 'distributed', disk_source: diskSource },
    },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** Waits until an instance is in a state. */
const reaches = (api: Api, name: string, state: string) =>
  until(
    async () => (await api('GET', `/v1/instances/${name}?project=work`)).body,
    ({ run_state }) => expect(run_state).toBe(state),
  )

/** Everything that the guest has printed since its last start. */
async function printed(api: Api, name: string): Promise<string> {
  const path = `/v1/instances/${name}/serial-console?project=work&from_start=0`
  const { body } = await api('GET', path)
  return Buffer.from(body.data ?? []).toString()
}
const isReady = (api: Api, name: string) =>
  until(
    () => printed(api, name),
    (text) => expect(text).toContain(READY),
  )

test('a guest whose QEMU is killed has failed, and starts again', TIMEOUT, async () => {
  const cloud = embeddedCloud(temporaryDirectory())
  const { api: apiOf, diskSource } = await start(cloud, 1)
  const api = apiOf(0)
  await runInstance(api, 'wheel', diskSource)
  await isReady(api, 'wheel')
  const [machine] = await cloud.ask('select vm_id from instance')
  killQemu((machine as any).vm_id)
  await reaches(api, 'wheel', 'failed')
  const { status } = await api('POST', '/v1/instances/wheel/start?project=work')
  expect(status).toBe(202)
  await reaches(api, 'wheel', 'running')
  await isReady(api, 'wheel')
  await deleteAll(cloud, api)
})

const daemons = (): number[] => {
  const { stdout } = spawnSync('pidof', ['libvirtd'], { encoding: 'utf8' })
  return stdout.split(/\s+/).filter(Boolean).map(Number)
}
const isRoot = process.getuid?.() === 0

test(
  'guests run on when libvirtd is killed, and are managed by the next one',
  TIMEOUT,
  async () => {
    const cloud = embeddedCloud(temporaryDirectory())
    const { api: apiOf, diskSource } = await start(cloud, 1)
    const api = apiOf(0)
    await runInstance(api, 'wheel', diskSource)
    await isReady(api, 'wheel')
    const before = runningMachines(cloud)
    for (const pid of daemons()) process.kill(pid, 'SIGKILL')
    // Its user's libvirt starts by itself with the next call; that of the system does not.
    expect((await reaches(api, 'wheel', 'running')).run_state).toBe('running')
    await runInstance(api, 'spoke', diskSource)
    await api('POST', '/v1/instances/wheel/stop?project=work')
    if (isRoot) {
      spawn('/usr/sbin/libvirtd', ['-d'], { stdio: 'ignore' })
      onTestFinished(() => {
        for (const pid of daemons()) process.kill(pid)
      })
    }
    await isReady(api, 'spoke')
    await reaches(api, 'wheel', 'stopped')
    expect(before).toHaveLength(1)
    expect(runningMachines(cloud)).not.toContain(before[0])
    expect(runningMachines(cloud)).toHaveLength(1)
    execFileSync('virsh', ['-q', '-c', libvirtUri, 'version'], { stdio: 'ignore' })
    await deleteAll(cloud, api)
  },
)
