/** A server is killed repeatedly while an update proceeds from sled to sled. */
import { requiredArtifacts } from '@steading/api/rules'
import { makeRepository, makeTrustRoot, newKeys, sampleArtifacts, signerOf } from '@steading/tuf'
import { expect, inject, test } from 'vitest'
import { long } from '../../../control-plane/test/support/long.ts'
import { fromNow } from '../../../control-plane/test/support/times.ts'
import { type Cloud, embeddedCloud, sharedCloud, startServers } from './cloud.ts'
import { leaks } from './leaks.ts'
import { type Api, listAll } from './workload.ts'

const KILLS = 3
const INSTANCES = 4
/**
 * Claims of a dead server wait for the end of their leases, so more frequent polling is useless.
 */
const LOOKS = { interval: 100 }

interface Rollout {
  state: string
  parts: { state: string; components: { updated: boolean }[] }[]
}

/** Uploads a trusted release. */
async function addRelease(api: Api, url: string, cookie: string, version: string): Promise<void> {
  const expires = fromNow(60 * 60 * 1000)
  const signer = await signerOf(await newKeys())
  const root = await makeTrustRoot(signer, { expires })
  await api('POST', '/v1/system/update/trust-roots', root)
  const artifacts = sampleArtifacts(version, requiredArtifacts)
  const roots = [root]
  const body = await makeRepository(signer, { systemVersion: version, artifacts, expires, roots })
  const path = '/v1/system/update/repositories?file_name=release.zip'
  const headers = { cookie, 'content-type': 'application/octet-stream' }
  const { status } = await fetch(url + path, { method: 'PUT', headers, body })
  expect(status).toBe(200)
}

/**
 * Rolls out a release while servers are killed.
 * @returns the sleds and switches that are not updated afterwards
 */
async function lostBy(cloud: Cloud, servers: number): Promise<unknown[]> {
  const { data, ask } = cloud
  const running = await startServers(cloud, servers, { STEADING_BOOT_MS: '200' })
  const { api: apiOf, hosts, cookie } = running
  for (let n = 0; n < INSTANCES; n++) {
    await apiOf(0)('POST', '/v1/instances?project=work', {
      name: `box-${n}`,
      description: '',
      hostname: `box-${n}`,
      ncpus: 1,
      memory: 2 ** 30,
    })
  }
  const states = async (index: number) =>
    (await listAll(apiOf(index), 'instances')).map(({ run_state }) => run_state)
  const allRun = Array.from({ length: INSTANCES }, () => 'running')
  await expect.poll(() => states(0), LOOKS).toEqual(allRun)
  const boots = 'select id, boot from simulated_machine order by id'
  const booted = await ask(boots)

  const rollout = async (index: number): Promise<Rollout> =>
    (await apiOf(index)('GET', '/x/v1/system/update/rollout')).body
  const isComplete = async (index: number) => (await rollout(index)).state === 'complete'
  /** Number of components with the release. */
  const progress = async (index: number): Promise<number> =>
    (await rollout(index)).parts
      .flatMap(({ components }) => components)
      .filter(({ updated }) => updated).length
  let releases = 0
  const rollOutNext = async () => {
    const system_version = `1.0.${releases++}`
    await addRelease(apiOf(0), hosts[0]!.url, cookie, system_version)
    await apiOf(0)('PUT', '/v1/system/update/target-release', { system_version })
  }

  await rollOutNext()
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = kill % servers
    // While a server restarts, the other one may have finished.
    if (await isComplete(victim)) await rollOutNext()
    const before = await progress(victim)
    const isTime = async () =>
      (await progress(victim)) > before + kill || (await isComplete(victim))
    await expect.poll(isTime, LOOKS).toBe(true)
    await running.kill(victim)
    expect((await ask('select id from sled where updating = 1')).length).toBeLessThan(2)
    await running.restart(victim)
  }
  await expect.poll(() => isComplete(0), LOOKS).toBe(true)
  expect(await states(0)).toEqual(allRun)
  expect(await ask(boots)).toEqual(booted)
  await expect.poll(() => leaks(ask, data), LOOKS).toEqual([])
  return (await rollout(0)).parts.filter(({ state }) => state !== 'updated')
}

// Two servers are the harder case.
test.runIf(long || !inject('postgresUrl'))(
  'an update continues after every kill of the server, and no instance stops',
  async () => {
    expect(await lostBy(embeddedCloud(), 1)).toEqual([])
  },
)

test.runIf(inject('postgresUrl'))(
  'an update continues after kills of either of two servers',
  async () => expect(await lostBy(await sharedCloud(), 2)).toEqual([]),
)
