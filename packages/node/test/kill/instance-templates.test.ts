/** Servers that are killed while instances are created from a template. */
import { setTimeout as pause } from 'node:timers/promises'
import { GiB } from '@steading/api/rules'
import { expect, inject, test } from 'vitest'
import { random } from '../../../control-plane/test/support/random.ts'
import { templateBody } from '../../../control-plane/test/support/templates.ts'
import { createDatabase } from '../support/database.ts'
import { migratedDirectory, signIn, temporaryDirectory } from '../support/process.ts'
import { startHost } from './host-process.ts'
import { client } from './workload.ts'

const KILLS = 8
/** Instances of a use. */
const COUNT = 5
/** Milliseconds after a call, in which a server is killed before it has answered. */
const MOMENT_MS = 120

const disk = {
  type: 'create',
  name: 'data',
  description: '',
  size: GiB,
  disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } },
}

/**
 * Uses a template, and kills a server during or shortly after each call.
 * @param servers on one database
 */
async function useDespiteKills(data: string, servers: number, databaseUrl?: string) {
  const hosts = await Promise.all(
    Array.from({ length: servers }, () => startHost(data, databaseUrl)),
  )
  const cookie = await signIn(hosts[0]!.url)
  const call = (method: string, its: string, body?: object) =>
    client(hosts[0]!.url, cookie)(method, its, body)
  await call('POST', '/v1/projects', { name: 'work', description: '' })
  const template = templateBody('web', { disks: [{ ...disk, name: '${name}-data' }] })
  const { status } = await call('POST', '/x/v1/instance-templates?project=work', template)
  expect(status).toBe(201)

  const answered: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = kill % servers
    const asked = client(hosts[(kill + 1) % servers]!.url, cookie)(
      'POST',
      '/x/v1/instance-templates/web/instances?project=work',
      { name: `web-${kill}`, count: COUNT },
    ).then(
      (answer) => answer.status < 300 && answered.push(kill),
      // The connection was cut; the instances are created or not.
      () => false,
    )
    // Every second use is acknowledged before the kill.
    await (kill % 2 === 0 ? pause(random() * MOMENT_MS) : asked)
    await hosts[victim]!.kill()
    await asked
    hosts[victim] = await startHost(data, databaseUrl)
  }
  const listed = async (path: string) => {
    const { body } = await call('GET', `/v1/${path}?project=work&limit=1000`)
    return (body as { items: { name: string; run_state?: string; instance_id?: string }[] }).items
  }
  await expect
    .poll(async () => (await listed('instances')).filter((one) => one.run_state !== 'stopped'))
    .toEqual([])
  const instances = (await listed('instances')).map(({ name }) => name)
  return { answered, instances, disks: await listed('disks') }
}

/** Counts of the instances of each use, of the acknowledged ones, and of disks. */
function countsOf({ answered, instances, disks }: Awaited<ReturnType<typeof useDespiteKills>>) {
  const uses = Map.groupBy(instances, (name) => Number(name.split('-')[1]))
  return {
    counts: new Set([...uses.values()].map(({ length }) => length)),
    acknowledged: new Set(answered.map((use) => uses.get(use)?.length)),
    disks: disks.length - instances.length,
  }
}

/** A use creates all of its instances or none, and an acknowledged one has created them. */
const whole = {
  counts: new Set([COUNT]),
  acknowledged: new Set([COUNT]),
  disks: 0,
}

test(`a use of a template is whole after ${KILLS} kills of its server`, async () => {
  expect(countsOf(await useDespiteKills(migratedDirectory(), 1))).toEqual(whole)
})

test.runIf(inject('postgresUrl'))(
  `a use of a template is whole on two servers, after ${KILLS} kills of either`,
  async () => {
    const databaseUrl = await createDatabase()
    expect(countsOf(await useDespiteKills(temporaryDirectory(), 2, databaseUrl))).toEqual(whole)
  },
)
