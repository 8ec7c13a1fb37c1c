/** A server is killed repeatedly while the instances of sleds in maintenance move away. */
import { expect, inject, test } from 'vitest'
import { long } from '../../../control-plane/test/support/long.ts'
import { type Cloud, embeddedCloud, sharedCloud, startServers } from './cloud.ts'
import { leaks } from './leaks.ts'
import { listAll } from './workload.ts'

const KILLS = long ? 6 : 2
const INSTANCES = 12
/**
 * Claims of a dead server wait for the end of their leases, so more frequent polling is useless.
 */
const LOOKS = { interval: 100 }

interface Progress {
  state: string
  moved: number
  moving: number
  waiting: number
  impossible: number
}

/**
 * Empties a sled while servers are killed, once for each kill.
 * @returns the machines before and after
 */
async function movedDespiteKills(cloud: Cloud, servers: number) {
  const { data, ask } = cloud
  const running = await startServers(cloud, servers, { STEADING_BOOT_MS: '200' })
  const { api: apiOf } = running
  for (let n = 0; n < INSTANCES; n++) {
    await apiOf(0)('POST', '/v1/instances?project=work', {
      name: `box-${n}`,
      description: '',
      hostname: `box-${n}`,
      ncpus: 1,
      memory: 2 ** 30,
    })
  }
  const states = async () =>
    (await listAll(apiOf(0), 'instances')).map(({ run_state }) => run_state)
  const allRun = Array.from({ length: INSTANCES }, () => 'running')
  await expect.poll(states, LOOKS).toEqual(allRun)
  const boots = 'select id, boot from simulated_machine order by id'
  const before = await ask(boots)

  for (let kill = 0; kill < KILLS; kill++) {
    const [fullest] = await ask(`
      select sled_id as id, count(*) as instances from instance
      where sled_id is not null group by sled_id order by instances desc, id limit 1`)
    const path = `/x/v1/system/hardware/sleds/${fullest!.id}/maintenance`
    const { status } = await apiOf(0)('POST', path, { reason: 'New fans', unmovable: 'leave' })
    expect(status).toBe(201)
    const victim = kill % servers
    const progress = async (): Promise<Progress> =>
      (await apiOf(victim)('GET', `${path}/status`)).body.progress
    // The moment of the kill differs: after the first, the second… move.
    await expect.poll(async () => (await progress()).moved > kill % 3, LOOKS).toBe(true)
    await running.kill(victim)
    await running.restart(victim)
    await expect.poll(progress, LOOKS).toMatchObject({
      state: 'ready',
      // None moved twice, and none is missing.
      moved: Number(fullest!.instances),
      moving: 0,
      waiting: 0,
      impossible: 0,
    })
    expect((await apiOf(victim)('DELETE', path)).status).toBe(204)
  }
  expect(await states()).toEqual(allRun)
  const open = "select id from instance_move where state = 'moving'"
  expect(await ask(open)).toEqual([])
  await expect.poll(() => leaks(ask, data), LOOKS).toEqual([])
  return { before, after: await ask(boots) }
}

test(`no instance is lost or moved twice, in ${KILLS} kills of the server that moves them`, async () => {
  const { before, after } = await movedDespiteKills(embeddedCloud(), 1)
  expect(after).toEqual(before)
})

test.runIf(inject('postgresUrl'))(
  `no instance is lost or moved twice, in ${KILLS} kills of one of two servers @long`,
  async () => {
    const { before, after } = await movedDespiteKills(await sharedCloud(), 2)
    expect(after).toEqual(before)
  },
)
