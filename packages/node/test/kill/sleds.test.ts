/**
 * Sleds fail while instances are created, started, stopped and deleted on them, and a server is
 * killed meanwhile. All sleds recover except the last one, which is expunged.
 */
import { expect, inject, test } from 'vitest'
import { long } from '../../../control-plane/test/support/long.ts'
import { type Cloud, embeddedCloud, sharedCloud, startServers } from './cloud.ts'
import { type Ask, leaks } from './leaks.ts'
import { type Api, listAll, until, Worker } from './workload.ts'

const WORKERS = 3
const SERIALS = ['BRM-0001', 'BRM-0002']
const LAST = SERIALS.at(-1)
/** Acknowledgements before the sled fails, and further ones before the server is killed. */
const ACKNOWLEDGED = 10
/**
 * Claims of a dead server wait for the end of their leases, so more frequent polling is useless.
 */
const LOOKS = { interval: 250 }

/** Failed instances that will be restarted have not settled. */
const isMoving = ({ run_state, auto_restart_enabled }: Record<string, unknown>) =>
  run_state === 'failed' ? auto_restart_enabled : run_state !== 'running' && run_state !== 'stopped'

/** Instances and replicas in wrong places. */
async function misplaced(ask: Ask): Promise<unknown[]> {
  const none = {
    'an instance on a dead sled': `
      select instance.id from instance join sled on sled.id = instance.sled_id
      where sled.responding = 0 or sled.policy = 'expunged'`,
    'a machine on a dead sled': `
      select machine.id from simulated_machine machine
      join simulated_sled sled on sled.sled_id = machine.sled_id
      where sled.down = 1 and machine.phase not in ('stopped', 'failed')`,
    'a machine on another sled than its instance': `
      select instance.id from instance join simulated_machine machine on machine.id = vm_id
      where machine.sled_id <> instance.sled_id`,
    'a replica that is not ready': `select disk_id from disk_replica where state <> 'ready'`,
    'a replica on a dead sled': `
      select disk_id from disk_replica
      join physical_disk on physical_disk.id = physical_disk_id
      join sled on sled.id = physical_disk.sled_id
      where sled.responding = 0 or sled.policy = 'expunged'`,
  }
  const found: unknown[] = []
  for (const [what, sql] of Object.entries(none)) {
    found.push(...(await ask(sql)).map((row) => ({ what, row })))
  }
  return found
}

/**
 * Fails sleds and kills servers, and waits until everything has recovered.
 * @param servers number of servers; one of them is killed with each sled
 * @returns acknowledged changes that do not hold
 */
async function brokenBy(cloud: Cloud, servers: number): Promise<string[]> {
  const { data, ask } = cloud
  const {
    api: apiOf,
    kill,
    restart,
  } = await startServers(cloud, servers, {
    STEADING_AUTO_RESTART_COOLDOWN: '0',
  })
  let acknowledged = 0
  let reached = { at: Infinity, resolve: () => {} }
  const workers = Array.from(
    { length: WORKERS },
    (_, index) => new Worker(`w${index}`, () => ++acknowledged >= reached.at && reached.resolve()),
  )
  const soMany = () =>
    new Promise<void>((resolve) => (reached = { at: acknowledged + ACKNOWLEDGED, resolve }))
  const power = (api: Api, serial: string, on: boolean) =>
    api('PUT', `/x/v1/simulation/sleds/${serial}/power`, { on })

  for (const [round, serial] of SERIALS.entries()) {
    const victim = round % servers
    const over = new AbortController()
    const working = Promise.all(
      workers.map((worker, index) => worker.work(until(over.signal, apiOf(index + round)))),
    )
    await soMany()
    expect(await power(apiOf(victim), serial, false)).toMatchObject({ status: 204 })
    await soMany()
    await kill(victim)
    over.abort()
    await working
    await restart(victim)
    if (serial !== LAST) await power(apiOf(victim), serial, true)
  }
  const api = apiOf(0)
  const sled = (await api('GET', `/x/v1/system/hardware/sleds?search=${LAST}`)).body.items[0]
  await api('POST', `/x/v1/system/hardware/sleds/${sled.id}/expunge`)

  const sledState = async () =>
    (await api('GET', `/v1/system/hardware/sleds/${sled.id}`)).body.state
  const moving = async () => (await listAll(api, 'instances')).filter(isMoving)
  await expect.poll(moving, LOOKS).toEqual([])
  const instances = await listAll(api, 'instances')
  await expect.poll(() => misplaced(ask), LOOKS).toEqual([])
  await expect.poll(() => leaks(ask, data), LOOKS).toEqual([])
  await expect.poll(sledState, LOOKS).toBe('decommissioned')
  return workers.flatMap((worker) => worker.broken(instances))
}

// Two servers are the harder case.
test.runIf(long || !inject('postgresUrl'))(
  'sleds that fail together with the server lose no instance and no replica',
  async () => {
    expect(await brokenBy(embeddedCloud(), 1)).toEqual([])
  },
  600_000,
)

test.runIf(inject('postgresUrl'))(
  'sleds that fail together with one of two servers lose no instance and no replica',
  async () => expect(await brokenBy(await sharedCloud(), 2)).toEqual([]),
  600_000,
)
