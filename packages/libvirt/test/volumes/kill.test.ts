/** Servers that are killed in the middle of their work on volumes, and two servers at once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresMissing } from '../../../control-plane/test/support/postgres.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { createExports } from '../../src/volumes/exports.ts'
import { checkImage, createImage } from '../../src/volumes/qemu-img.ts'
import { CHAIN_MAX } from '../../src/volumes/flatten.ts'
import type { Change } from '../support/victim.ts'
import {
  bytesOf,
  layerFilesIn,
  newPostgres,
  plain,
  processesOn,
  startVolumes,
  type TestVolumes,
  volumesMissing,
} from '../support/volumes.ts'

const missing = await volumesMissing()
const kills = Number(process.env.KILLS ?? 2)
const victim = join(import.meta.dirname, '../support/victim.ts')

/** Contents that are read again after further kills. */
const KEPT = 12

/** Contents that were acknowledged, by their ids. */
class Acknowledged {
  readonly seeds = new Map<string, number>()
  readonly gone = new Set<string>()

  note(change: Change): void {
    if ('gone' in change) this.gone.add(change.gone)
    else if ('deleting' in change) this.seeds.delete(change.deleting)
    else if ('volume' in change) this.seeds.set(change.volume, change.seed)
    else this.seeds.set(change.snapshot, change.seed)
  }

  /** Leaves the latest ones. */
  forget(): void {
    for (const id of [...this.seeds.keys()].slice(0, -KEPT)) this.seeds.delete(id)
    this.gone.clear()
  }
}

/** Runs a server until a number of its changes were acknowledged and some more time has passed. */
async function killed(
  data: string,
  seed: number,
  { changes, ms, note }: { changes: number; ms: number; note: (change: Change) => void },
  url?: string,
): Promise<void> {
  const child = spawn(process.execPath, [victim, data, String(seed), ...(url ? [url] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close')
  let seen = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    note(JSON.parse(line) as Change)
    if (++seen === changes) setTimeout(() => child.kill('SIGKILL'), ms)
  })
  await ended
  expect(child.signalCode, errors).toBe('SIGKILL')
}

/** Checks that everything that was acknowledged holds, and that nothing else is left. */
async function consistent({ volumes, database, directory }: TestVolumes, noted: Acknowledged) {
  await volumes.settled()
  for (const [id, seed] of noted.seeds) {
    expect(plain(await volumes.read(id, 0, 512)), id).toEqual(bytesOf(seed, 512))
  }
  const all = new Set([...(await volumes.list()), ...(await volumes.listSnapshots())])
  for (const id of noted.gone) expect(all).not.toContain(id)
  // The last rounds are enough, and all of them would make each round longer than the one before.
  noted.forget()
  // So are orphans, by the control plane, which knows all its volumes.
  for (const id of all) if (!noted.seeds.has(id)) await volumes.deleteSnapshot(id)
  const rows = await database.db.selectFrom('libvirt_layer').selectAll().execute()
  const names = rows.map(({ id }) => `${id}.qcow2`)
  expect(await layerFilesIn(directory)).toEqual(names.toSorted())
}

describe.skipIf(missing)('servers that are killed', () => {
  test(`nothing acknowledged is lost in ${kills} kills`, { timeout: 1_800_000 }, async () => {
    const data = await mkdtemp(join(tmpdir(), 'steading-volumes-'))
    onTestFinished(() => rm(data, { recursive: true, force: true }))
    const noted = new Acknowledged()
    for (let round = 0; round < kills; round++) {
      await killed(data, round, {
        changes: 1 + ((round * 11) % 26),
        ms: random() * 150,
        note: (change) => noted.note(change),
      })
      const host = await startVolumes({}, { data })
      try {
        await consistent(host, noted)
      } finally {
        await host.close()
      }
      for (const name of await layerFilesIn(host.directory)) {
        const found = await checkImage(join(host.directory, name), 'qcow2')
        expect(found, name).toMatchObject({ 'check-errors': 0 })
        expect(found?.corruptions ?? 0, name).toBe(0)
      }
      await expect.poll(() => processesOn(data)).toEqual([])
    }
    expect(noted.seeds.size).toBeGreaterThan(0)
  })
})

test.skipIf(missing)('a layer in use is closed for all who wait for it', async () => {
  const data = await mkdtemp(join(tmpdir(), 'steading-exports-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  const pathOf = (id: string) => join(data, `${id}.qcow2`)
  await createImage(pathOf('layer'), { size: 65_536 })
  const exports = createExports(pathOf, join(data, 'sockets'), { shared: false })
  await exports.open()
  const [began, isActive] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const used = exports.use('layer', true, async () => {
    began.resolve()
    await isActive.promise
  })
  await began.promise
  const released = Promise.all([exports.release('layer'), exports.release('layer')])
  isActive.resolve()
  await expect(Promise.all([used, released])).resolves.toBeDefined()
  await exports.close()
})

describe.skipIf(missing ?? postgresMissing())('two servers', () => {
  async function twoServers() {
    const first = await startVolumes({}, { url: await newPostgres() })
    const second = await first.another()
    onTestFinished(async () => {
      await second.close()
      await first.remove()
      expect([...first.log.mock.calls, ...second.log.mock.calls]).toEqual([])
    })
    const id = crypto.randomUUID()
    await first.volumes.create(id, { size: 16 * 65_536, blockSize: 512 })
    return { first: first.volumes, second: second.volumes, id, database: first.database }
  }

  test('write to one volume in turn and at once', async () => {
    const { first, second, id } = await twoServers()
    const pieces = Array.from({ length: 16 }, (_, index) => index)
    await Promise.all(
      pieces.map((index) =>
        (index % 2 === 0 ? first : second).write(id, index * 65_536, bytesOf(index, 65_536)),
      ),
    )
    for (const index of pieces) {
      const reader = index % 2 === 0 ? second : first
      expect(plain(await reader.read(id, index * 65_536, 65_536))).toEqual(bytesOf(index, 65_536))
    }
    expect(await second.written(id)).toEqual([{ offset: 0, length: 16 * 65_536 }])
    await second.seal(id)
    expect(await first.written(id)).toEqual([])
  })

  test('take snapshots of one volume, which later writes of either do not change', async () => {
    const { first, second, id } = await twoServers()
    await first.write(id, 0, bytesOf(1, 512))
    await second.write(id, 512, bytesOf(2, 512))
    const ids = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    await Promise.all([
      first.createSnapshot(ids[0]!, id),
      second.createSnapshot(ids[0]!, id),
      second.createSnapshot(ids[1]!, id),
      first.createSnapshot(ids[2]!, id),
    ])
    await first.write(id, 0, bytesOf(3, 512))
    await second.write(id, 512, bytesOf(4, 512))
    for (const snapshot of ids) {
      for (const server of [first, second]) {
        expect(plain(await server.read(snapshot, 0, 512))).toEqual(bytesOf(1, 512))
        expect(plain(await server.read(snapshot, 512, 512))).toEqual(bytesOf(2, 512))
      }
    }
    expect((await second.listSnapshots()).toSorted()).toEqual(ids.toSorted())
    expect(plain(await first.read(id, 512, 512))).toEqual(bytesOf(4, 512))
  })

  test('leave an attached volume to its machine', async () => {
    const { first, second, id } = await twoServers()
    await second.write(id, 0, bytesOf(1, 512))
    const machine = crypto.randomUUID()
    const { path } = await first.attach(id, machine, 1)
    await expect(second.write(id, 0, bytesOf(2, 512))).rejects.toThrow('while its instance runs')
    // Nobody has it open any more, so a hypervisor can.
    expect(await checkImage(path, 'qcow2')).toMatchObject({ 'check-errors': 0 })
    await second.detach(id, machine, 1)
    expect(plain(await second.read(id, 0, 512))).toEqual(bytesOf(1, 512))
  })

  test('shorten each chain once', async () => {
    const { first, second, id, database } = await twoServers()
    const snapshots: string[] = []
    for (let round = 0; round < CHAIN_MAX + 1; round++) {
      await first.write(id, 0, bytesOf(round, 512))
      snapshots.push(crypto.randomUUID())
      await (round % 2 === 0 ? first : second).createSnapshot(snapshots.at(-1)!, id)
    }
    await Promise.all([first.settled(), second.settled()])
    const whole = await database.db
      .selectFrom('libvirt_layer')
      .selectAll()
      .where('parent_id', 'is', null)
      .execute()
    expect(whole).toHaveLength(2)
    for (let round = 0; round < snapshots.length; round++) {
      const found = plain(await second.read(snapshots[round]!, 0, 512))
      expect(found).toEqual(bytesOf(round, 512))
    }
  })
})
