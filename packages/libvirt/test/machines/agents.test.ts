/** Snapshots of a running guest whose agent is slow, silent or malformed. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { uint8ArrayToBase64 } from 'uint8array-extras'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import type { LibvirtEngineOptions } from '../../src/engine.ts'
import { openTestHost, type TestHost, type TestServer } from '../support/engine.ts'
import { smallSpec } from '../support/open-engines.ts'
import { guestsMissing, smallImage } from '../support/small-image.ts'

const missing = guestsMissing()
if (missing !== undefined) {
  console.warn(`The tests with an agent in a guest are left out: ${missing}.`)
}

const short = ['freeze:right', 'freeze:silent']
const variants = [
  'sync:silent',
  'sync:malformed',
  'thaw:silent',
  'thaw:malformed',
  'freeze:malformed',
  // After these, libvirt may ask for a thaw twice.
  'freeze:slow',
  'freeze:endless',
]
const isLong = process.env.STEADING_LONG_TESTS === '1'
/** How the agent answers, request by request. */
const ways = isLong ? [...short, ...variants] : short
const MiB = 1024 * 1024

/** A machine of the small image with the agent. */
async function runAgent({ engines }: TestServer, data: string, answers: readonly string[]) {
  const raw = join(data, 'image.raw')
  execFileSync('qemu-img', ['convert', '-O', 'raw', smallImage(), raw])
  const bytes = readFileSync(raw)
  const [id, volumeId] = [crypto.randomUUID(), crypto.randomUUID()]
  const { volumes } = engines
  await volumes.create(volumeId, { size: bytes.length, blockSize: 512 }, 1)
  for (let at = 0; at < bytes.length; at += MiB) {
    const part = bytes.subarray(at, at + MiB)
    if (part.some((byte) => byte !== 0)) await volumes.write(volumeId, at, part)
  }
  const source = await volumes.attach(volumeId, id, 1)
  const volume = { id: volumeId, name: 'boot', size: bytes.length, slot: 0, boot: true }
  const agent = readFileSync(join(import.meta.dirname, '../support/agent.sh'), 'utf8')
  await engines.machines.run(
    id,
    {
      ...smallSpec([{ ...volume, readOnly: false, source }]),
      memory: 256 * MiB,
      userData: uint8ArrayToBase64(Buffer.from(agent.replace('WAYS', answers.join(' ')))),
    },
    1,
  )
  return { id, volumeId }
}

const expected = (way: string): string =>
  way === 'freeze:right' || way.startsWith('thaw') ? 'consistent' : 'crash_consistent'

describe.skipIf(missing !== undefined)('agents in guests', () => {
  let host: TestHost
  let server: TestServer
  let machine: { id: string; volumeId: string }
  /** Starts the server anew with other options. */
  const restart = async (options: Partial<LibvirtEngineOptions>): Promise<void> => {
    await server.close()
    const other = await openTestHost(options, { data: host.data })
    onTestFinished(() => other.database.close())
    server = await other.start()
  }
  const snapshot = async () => {
    const id = crypto.randomUUID()
    return server.engines.volumes.createSnapshot(id, machine.volumeId, 2)
  }
  const frozen = async () =>
    (
      await host.database.db
        .selectFrom('libvirt_machine')
        .select('thaw')
        .where('id', '=', machine.id)
        .executeTakeFirst()
    )?.thaw
  const thawed = () => until(frozen, (thaw) => expect(thaw).toBe(0))

  beforeAll(async () => {
    host = await openTestHost({ agentSeconds: 2, callLimits: { agent: 10_000 } })
    server = await host.start()
    machine = await runAgent(server, host.data, [
      ...ways.flatMap((way) => [
        // libvirt asks for a sync after a request that was not answered.
        ...(way.startsWith('sync') ? ['freeze:silent'] : []),
        way,
        // At the end of each snapshot.
        'thaw:right',
      ]),
      'freeze:silent',
    ])
  })
  afterAll(async () => {
    await server?.close()
    await host?.remove()
  })

  test('an agent is connected to libvirt once it runs', async () => {
    const { libvirt } = await server.engines.host()
    await until(
      () => libvirt.xml(machine.id),
      (xml) => expect(xml).toContain("state='connected'"),
    )
  })
  test.each(short)('an agent that answers %s spoils no snapshot, and is thawed', async (way) => {
    expect((await snapshot()).consistency).toBe(expected(way))
    await thawed()
  })
  test.each(variants)(
    'an agent that answers %s spoils no snapshot, and is thawed @long',
    async (way) => {
      expect((await snapshot()).consistency).toBe(expected(way))
      await thawed()
    },
  )

  test('an agent that never answers does not hold up the end of its machine', async () => {
    await restart({ agentSeconds: 3_600 })
    const taken = snapshot().catch((error: Error) => error)
    await until(frozen, (thaw) => expect(thaw).toBe(1))
    const { machines } = server.engines
    await machines.halt(machine.id, 3)
    expect((await machines.observe(machine.id)).phase).toBe('failed')
    await machines.destroy(machine.id, 4)
    expect(await machines.list()).toEqual([])
    await taken
  })
})
