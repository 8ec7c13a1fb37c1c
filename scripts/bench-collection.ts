/**
 * `npm run bench:collection [-- <instances>]`: cost of collecting samples of running instances, as
 * a share of one core, with and without the time series store. Only measures; nothing passes or
 * fails.
 */
import { PASSWORD_MIN } from '@steading/api/rules'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskRow, instanceRow } from '../packages/control-plane/test/support/many.ts'
import { defaultConfig } from '../packages/node/src/config.ts'
import { startServer } from '../packages/node/src/server.ts'

const ROUND_SECONDS = 5
/** Rounds in which everything is measured once. */
const ROUNDS = 12
/** Stored rounds, enough for heads to be written and segments to be merged. */
const STORED_ROUNDS = 10 * ROUNDS

const count = Number(process.argv[2] ?? 1_000)
const data = mkdtempSync(join(tmpdir(), 'steading-bench-'))
const server = await startServer({
  ...defaultConfig(),
  engine: 'simulated',
  port: 0,
  data,
  adminPassword: 'a long benchmark',
  passwordCost: { memoryKiB: 8, passes: 1 },
  passwordMin: PASSWORD_MIN,
  collects: false,
})
try {
  const { controlPlane } = server
  const { db } = controlPlane.database
  await db.deleteFrom('instance').execute()
  const [{ id: silo_id }] = (await db.selectFrom('silo').select('id').execute()) as [{ id: string }]
  const sleds = await db.selectFrom('sled').select(['id', 'name']).execute()
  const project = crypto.randomUUID()
  const now = new Date().toISOString()
  const times = { time_created: now, time_modified: now, time_deleted: null }
  const described = { description: '', name_key: 'bench' }
  await db
    .insertInto('project')
    .values({ id: project, name: 'bench', silo_id, ...described, ...times } as never)
    .execute()
  for (let index = 0; index < count; index++) {
    const sled = sleds[index % sleds.length]!
    const vm = crypto.randomUUID()
    const name = `box-${index}`
    const instance = instanceRow(project, name, {
      ncpus: 2,
      run_state: 'running',
      vm_id: vm,
      sled_id: sled.id,
    })
    await db.insertInto('instance').values(instance).execute()
    const attached = { instance_id: instance.id, state: 'attached' as const }
    for (const slot of [0, 1]) {
      const disk = diskRow(project, `${name}-${slot}`, { ...attached, slot })
      await db.insertInto('disk').values(disk).execute()
    }
    await db
      .insertInto('network_interface')
      .values({
        id: crypto.randomUUID(),
        name: `net-${index}`,
        description: '',
        time_created: now,
        time_modified: now,
        instance_id: instance.id,
        vpc_id: project,
        subnet_id: crypto.randomUUID(),
        mac: `A8:40:25:F0:${(index >> 8).toString(16)}:${(index & 255).toString(16)}`,
        slot: 0,
        is_primary: 1,
        ipv4: null,
        ipv6: null,
        transit_ips_v4: '[]',
        transit_ips_v6: '[]',
      } as never)
      .execute()
    await db
      .insertInto('simulated_machine')
      .values({
        id: vm,
        sled_id: sled.id,
        spec: JSON.stringify({ sled: { id: sled.id, serial: sled.name } }),
        phase: 'running',
        since: Date.now() - 3_600_000,
        boot: 0,
        reboots: 0,
        move: null,
        version: 0,
      })
      .execute()
  }

  const { measurements, timeSeries } = controlPlane.engines
  const share = (begun: NodeJS.CpuUsage, rounds: number) => {
    const { user, system } = process.cpuUsage(begun)
    return (100 * (user + system)) / (1e6 * rounds * ROUND_SECONDS)
  }
  const measure = async () => {
    let samples = 0
    for (let round = 0; round < ROUNDS; round++) {
      for await (const part of measurements!.measure(Date.now(), round)) samples += part.length
    }
    return samples
  }
  // Creates the probes of everything.
  await measure()
  const before = process.cpuUsage()
  const samples = await measure()
  const percent = share(before, ROUNDS).toFixed(1)
  const rate = Math.round(samples / (ROUNDS * ROUND_SECONDS))
  console.log(`${count} instances, ${rate} samples per second`)
  console.log(`measured:            ${percent} % of one core`)
  // After this, the store knows all series.
  for (let round = 0; round < ROUNDS; round++) await controlPlane.collect()
  const begun = process.cpuUsage()
  for (let round = 0; round < STORED_ROUNDS; round++) await controlPlane.collect()
  console.log(`measured and stored: ${share(begun, STORED_ROUNDS).toFixed(1)} % of one core`)
  console.log(`series: ${(await timeSeries!.status()).series}`)
} finally {
  await server.close()
  rmSync(data, { recursive: true, force: true })
}
