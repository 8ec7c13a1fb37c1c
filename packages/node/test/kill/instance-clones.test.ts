/** Servers that are killed while instances are cloned: none is lost or made twice. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from '@steading/api'
import { GiB } from '@steading/api/rules'
import { expect, inject, test } from 'vitest'
import { long } from '../../../control-plane/test/support/long.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { createDatabase } from '../support/database.ts'
import { migratedDirectory, signIn, temporaryDirectory } from '../support/process.ts'
import { startHost } from './host-process.ts'
import { client } from './workload.ts'

const KILLS = long ? 8 : 2
const DISKS = 3
/** Milliseconds after a call, in which a server is killed. */
const MOMENT_MS = 60

/**
 * Clones an instance, and kills a server during or shortly after each call.
 * @param servers on one database
 * @returns names of the instances, disks and snapshots in the end
 */
async function cloneDespiteKills(data: string, servers: number, databaseUrl?: string) {
  const hosts = await Promise.all(
    Array.from({ length: servers }, () => startHost(data, databaseUrl)),
  )
  const cookie = await signIn(hosts[0]!.url)
  const call = (method: string, its: string, body?: object) =>
    client(hosts[0]!.url, cookie)(method, its, body)
  await call('POST', '/v1/projects', { name: 'work', description: '' })
  const disk_source = { type: 'blank', block_size: 512 }
  const disks = Array.from({ length: DISKS }, (_, index) => ({
    type: 'create',
    name: `source-${index}`,
    description: '',
    size: GiB,
    disk_backend: { type: 'distributed', disk_source },
  }))
  const { status } = await call('POST', '/v1/instances?project=work', {
    name: 'source',
    description: '',
    hostname: 'source',
    ncpus: 1,
    memory: GiB,
    boot_disk: disks[0],
    disks: disks.slice(1),
    start: false,
  })
  expect(status).toBe(201)
  const listed = async (path: string) => {
    const { body } = await call('GET', `/v1/${path}?project=work&limit=1000`)
    return (body as { items: { name: string; run_state?: string }[] }).items
  }
  await expect.poll(() => listed('instances')).toMatchObject([{ run_state: 'stopped' }])

  const answered: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const name = `copy-${kill}`
    const victim = kill % servers
    const asked = client(hosts[(kill + 1) % servers]!.url, cookie)(
      'POST',
      '/x/v1/instances/source/clone?project=work',
      { name, description: '', start: false },
    ).then(
      ({ status: its }) => its === 201 && answered.push(name),
      // The connection was cut; the clone is made or not.
      () => false,
    )
    await pause(random() * MOMENT_MS)
    await hosts[victim]!.kill()
    await asked
    hosts[victim] = await startHost(data, databaseUrl)
  }
  await expect
    .poll(
      async () => {
        const instances = await listed('instances')
        const states = await Promise.all(
          instances.map(async ({ name, run_state }) => {
            const { body } = await call('GET', `/x/v1/instances/${name}/clone?project=work`)
            const { clone } = body as Wire.InstanceCloneView
            return `${run_state} ${clone?.state ?? 'done'} ${clone?.snapshots_left ?? 0}`
          }),
        )
        return [...new Set(states)]
      },
      { interval: 50 },
    )
    .toEqual(['stopped done 0'])
  const names = async (path: string) => (await listed(path)).map(({ name }) => name).toSorted()
  const instances = await names('instances')
  // An acknowledged clone is there.
  expect(instances).toEqual(expect.arrayContaining(answered))
  return { instances, disks: await names('disks'), snapshots: await names('snapshots') }
}

/** Every instance has its disks, no disk is without one, and no snapshot is left. */
const whole = (instances: string[]) => ({
  instances,
  disks: instances
    .flatMap((name) => Array.from({ length: DISKS }, (_, index) => `${name}-${index}`))
    .toSorted(),
  snapshots: [],
})

test(`clones are whole after ${KILLS} kills of their server`, async () => {
  const left = await cloneDespiteKills(migratedDirectory(), 1)
  expect(left).toEqual(whole(left.instances))
})

test.runIf(inject('postgresUrl'))(
  `clones are whole on two servers, after ${KILLS} kills of either @long`,
  async () => {
    const databaseUrl = await createDatabase()
    const left = await cloneDespiteKills(temporaryDirectory(), 2, databaseUrl)
    expect(left).toEqual(whole(left.instances))
  },
)
