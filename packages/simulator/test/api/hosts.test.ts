/** Simulated hosts and storage pools pass the conformance tests, and hosts say by their names what is wrong with them. */
import { join } from 'node:path'
import { clockFinding, hostName, hostProblems } from '@steading/api/rules'
import { memoryBlockStore } from '@steading/control-plane'
import type { PowerSwitch } from '@steading/control-plane/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInventory } from '../../../control-plane/src/resources/observability/timeseries/inventory.ts'
import type { OpenDatabase } from '../../../control-plane/src/kernel/db/database.ts'
import { openDatabase } from '../../../control-plane/src/open-database.ts'
import { hostsConform, poolsConform } from '../../../control-plane/test/conformance/engines.ts'
import { fencingConforms } from '../../../control-plane/test/conformance/fencing.ts'
import { ownDatabase } from '../../../control-plane/test/support/harness.ts'
import { openPostgres } from '../../../node/src/postgres.ts'
import { openSqlite } from '../../../node/src/sqlite.ts'
import { type SimulatedEngines, simulatedEngine } from '../../src/engines.ts'
import { instant } from '../../src/options.ts'

let database: OpenDatabase
let engines: SimulatedEngines
let close: () => Promise<void>

beforeAll(async () => {
  const { databaseUrl, data, drop } = await ownDatabase()
  const engine = simulatedEngine(memoryBlockStore(), instant)
  const host =
    databaseUrl === undefined
      ? openSqlite(join(data, 'steading.db'))
      : await openPostgres(databaseUrl)
  database = await openDatabase(host, engine)
  engines = engine.open({
    database,
    clock: () => new Date(),
    log: () => {},
    networks: { around: async () => undefined },
    inventory: createInventory(database.db),
  })
  close = async () => {
    await database.close()
    drop()
  }
})
afterAll(() => close())

hostsConform(() => ({
  hardware: engines.hardware,
  enrolment: engines.enrolment!,
  address: 'qemu+ssh://root@sim-7/system',
  otherAddress: 'qemu+ssh://operator@sim-7:2222/system',
  failing: { address: 'qemu+tls://sim-clock-7/system', check: 'clock' },
}))

let directories = 0
poolsConform(() => ({
  volumes: engines.volumes,
  storagePools: engines.storagePools!,
  directories: () => `/mnt/sim-p${++directories}`,
  unusable: '/mnt/elsewhere',
}))
describe('power switches', () => {
  const at: PowerSwitch = {
    method: 'redfish',
    address: 'sim-31-bmc',
    port: null,
    user: 'admin',
    password: 'secret',
    system: null,
    verifyCertificate: true,
  }
  const sled = () =>
    database.db
      .selectFrom('simulated_sled')
      .select('down')
      .where('serial', '=', 'SIM-31')
      .executeTakeFirstOrThrow()
  beforeAll(async () => {
    await engines.enrolment!.enroll(
      { part: '913-0000031', serial: 'SIM-31' },
      'qemu+ssh://root@sim-31/system',
    )
  })

  fencingConforms(() => ({
    fencing: engines.fencing!,
    at,
    isOn: async () => (await sled()).down === 0,
    switchOn: () => engines.simulation.setPower('SIM-31', true),
    nowhere: { ...at, address: 'elsewhere' },
    refused: { ...at, password: 'wrong' },
  }))
})

test.each([
  ['qemu+ssh://root@sim-old/system', 'old_software'],
  ['qemu+ssh://root@sim-arm/system', 'other_architecture'],
  ['qemu+ssh://root@sim-noguests/system', 'no_guests'],
  ['qemu+ssh://root@sim-clock/system', 'clock_apart'],
  ['qemu+ssh://root@sim-nostorage/system', 'no_storage'],
  ['qemu+ssh://root@sim-otherstorage/system', 'other_storage'],
  ['qemu+ssh://root@sim-nochassis/system', 'no_chassis'],
  ['qemu+ssh://root@sim-localtunnels/system', 'local_tunnels'],
  ['qemu+ssh://root@elsewhere/system', 'unreachable'],
  ['qemu:///system', 'unreachable'],
] as const)('the host at %s has the problem %s', async (address, problem) => {
  const { findings } = await engines.enrolment!.examine(address)
  const facts = { name: hostName(address) } as never
  expect(findings.at(-1)).toMatchObject({
    outcome: 'failed',
    remedy: expect.any(String),
    check: hostProblems[problem](facts).check,
  })
})

test('the clock of a host may go wrong once it is enrolled', async () => {
  const { enrolment, simulation } = engines
  const address = 'qemu+ssh://root@sim-drift-1/system'
  const clockOf = async () =>
    (await enrolment!.examine(address)).findings.find(({ check }) => check === 'clock')
  expect(await clockOf()).toMatchObject({ outcome: 'passed' })
  const { host } = await enrolment!.examine(address)
  await enrolment!.enroll(host!, address)
  const wrong = clockFinding((await enrolment!.clockAhead(host!.serial))!)
  expect(wrong.outcome).toBe('failed')
  expect(await clockOf()).toEqual(wrong)
  await simulation.setPower(host!.serial, false)
  expect(await enrolment!.clockAhead(host!.serial)).toBeUndefined()
  await enrolment!.forget(host!)
})

test('a host that is switched off is not connected, and the rack may be full', async () => {
  const { enrolment, hardware, simulation } = engines
  const host = { part: '913-0000031', serial: 'SIM-8' }
  await enrolment!.enroll(host, 'qemu+ssh://root@sim-8/system')
  await simulation.setPower('SIM-8', false)
  await hardware.inventory()
  expect(enrolment!.connection('SIM-8')).toMatchObject({
    connected: false,
    reason: expect.any(String),
  })
  while (await simulation.insertSled()) {
    // Until no slot is free.
  }
  await expect(
    enrolment!.enroll({ ...host, serial: 'SIM-9' }, 'qemu+ssh://root@sim-9/system'),
  ).rejects.toThrow('no slot')
  // It keeps its own.
  await enrolment!.forget(host)
  expect(await simulation.insertSled()).toBeUndefined()
  await enrolment!.enroll(host, 'qemu+ssh://root@sim-8/system')
})
