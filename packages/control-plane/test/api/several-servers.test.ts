/** Equal servers on one PostgreSQL: work begun on one continues on the other. */
import type { Wire } from '@steading/api'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { simulatedEngine } from '@steading/simulator'
import { StartError } from '../../../node/src/errors.ts'
import { openPostgres } from '../../../node/src/postgres.ts'
import { createControlPlane } from '../../src/control-plane.ts'
import { memoryBlockStore } from '../../src/engines/volumes/memory.ts'
import { downloadPath, fileOf } from '../support/bundles.ts'
import { Caller } from '../support/caller.ts'
import { following, viewConsole } from '../support/console.ts'
import { type Granted, newDevice } from '../support/devices.ts'
import { EventStream } from '../support/event-stream.ts'
import { ownDatabase, startTestServer, type TestServer } from '../support/harness.ts'
import { contentsOf, importedDisk, importingDisk, write } from '../support/storage.ts'
import {
  blankDisk,
  detachedDisk,
  reaches,
  smallInstance,
  stoppedInstance,
  until,
} from '../support/things.ts'

const query = { project: 'work' }

describe.runIf(inject('dialect') === 'postgres')('two servers on one database', () => {
  let one: TestServer
  let other: TestServer
  const joined = (first: TestServer, settings = {}) =>
    startTestServer({ databaseUrl: first.databaseUrl, data: first.data, ...settings })

  beforeAll(async () => {
    one = await startTestServer()
    other = await joined(one)
    await one.admin.call('project_create', { body: { name: 'work', description: '' } })
  })
  afterAll(async () => {
    await other.close()
    await one.close()
  })

  const createRunning = async (server: TestServer, name: string): Promise<string> => {
    const body = smallInstance(name, { start: true })
    const { id } = await server.admin.call('instance_create', { query, body })
    await reaches(server.admin, id, 'running')
    return id
  }

  test('refuses a server with another data directory', async () => {
    const data = mkdtempSync(join(tmpdir(), 'steading-other-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    const refused = joined(one, { data })
    await expect(refused).rejects.toThrow(StartError)
    await expect(refused).rejects.toThrow(/does not belong to this database/)
  })

  test('adds a host once, also by two addresses that are given to both at the same time', async () => {
    const create = (server: TestServer, user: string) =>
      server.admin.call('host_create', { body: { address: `qemu+ssh://${user}@sim-1/system` } })
    const created = await Promise.all([create(one, 'root'), create(other, 'operator')])
    const seen = await until(
      () =>
        Promise.all(
          created.map(({ id }) => one.admin.call('host_view', { params: { host_id: id } })),
        ),
      (hosts) =>
        expect(hosts.map(({ state }) => state).toSorted()).toEqual(['in_service', 'refused']),
    )
    const [{ findings }] = seen.filter(({ state }) => state === 'refused') as [Wire.Host]
    expect(findings.at(-1)).toMatchObject({ check: 'identity', outcome: 'failed' })
    const query = { search: 'SIM-1' }
    expect((await other.admin.call('sled_search', { query })).items).toHaveLength(1)
  })

  test('serves the same bytes of a disk and its snapshots on both', async () => {
    const data = randomBytes(1024 * 1024)
    const disk = await importedDisk(one.admin, 'work', 'imported', data, 'first')
    const body = { disk: disk.id, name: 'second', description: '' }
    const snapshot = await other.admin.call('snapshot_create', { query, body })
    for (const { admin } of [one, other]) {
      const bytes = await contentsOf(admin, 'snapshots', snapshot.id, 0, data.length)
      expect(bytes.equals(data)).toBe(true)
      expect((await contentsOf(admin, 'disks', disk.id, 0, data.length)).equals(data)).toBe(true)
    }
    const copy = blankDisk('copy', {
      disk_backend: {
        type: 'distributed',
        disk_source: { type: 'snapshot', snapshot_id: snapshot.id },
      },
    })
    const { id } = await other.admin.call('disk_create', { query, body: copy })
    await other.admin.call('snapshot_delete', { params: { snapshot: snapshot.id } })
    expect((await contentsOf(one.admin, 'disks', id, 0, data.length)).equals(data)).toBe(true)
  })

  test('time series belong to one server, and another takes over when it has ended', async () => {
    await createRunning(one, 'measured')
    const first = await joined(one)
    const second = await joined(one)
    onTestFinished(() => second.close())
    const read = ({ host }: TestServer) => {
      const { timeSeries } = host.controlPlane.engines
      return timeSeries!.read({ name: 'virtual_machine:vcpu_usage', where: [] }, 100_000)
    }
    /** Waits until a server has collected samples later than all the given ones. */
    const collects = (server: TestServer, before: readonly number[] = []) =>
      until(
        async () => {
          await server.host.controlPlane.collect()
          // A server that has not yet taken over the files has no samples.
          return read(server).catch((): Awaited<ReturnType<typeof read>> => [])
        },
        (found) => expect(found[0]?.timestamps.length ?? 0).toBeGreaterThan(before.length),
      )
    const times = Array.from((await collects(first))[0]!.timestamps)
    await second.host.controlPlane.collect()
    await expect(read(second)).rejects.toThrow(/another server has the time series/)
    await first.close()
    for (const { timestamps } of await collects(second, times)) {
      expect(Array.from(timestamps).slice(0, times.length)).toEqual(times)
    }
  })

  test('a bundle comes from one server, even if another one takes over its collection', async () => {
    const { volumes } = one.host.controlPlane.engines
    const before = new Set(await volumes.list())
    const created: string[] = []
    for (const { admin } of [one, other]) {
      const { id } = await admin.call('support_bundle_create', { body: {} })
      created.push(id)
      // The server that may have begun it is considered dead.
      await one.db
        .updateTable('support_bundle')
        .set({ lease_until: 1 })
        .where('id', '=', id)
        .where('lease_until', 'is not', null)
        .execute()
    }
    for (const id of created) {
      const its = { params: { bundle_id: id } }
      await until(
        () => other.admin.call('support_bundle_view', its),
        ({ state }) => expect(state).toBe('active'),
      )
      const bytes = ({ admin }: TestServer) =>
        admin
          .fetch(downloadPath(id))
          .then(async (answer) => Buffer.from(await answer.arrayBuffer()))
      const [mine, theirs] = [await bytes(one), await bytes(other)]
      expect(mine.equals(theirs)).toBe(true)
      expect(JSON.parse(await fileOf(other.admin, id, 'manifest.json'))).toMatchObject({
        bundle: id,
      })
    }
    const made = async () => (await volumes.list()).filter((id) => !before.has(id))
    await until(made, (left) => expect(left).toHaveLength(created.length))
    for (const id of created) {
      await other.admin.call('support_bundle_delete', { params: { bundle_id: id } })
    }
    await until(made, (left) => expect(left).toEqual([]))
  })

  test('an import runs through both at once, and its end waits for the chunks of both', async () => {
    const chunk = 64 * 1024
    const data = randomBytes(64 * chunk)
    const disk = await importingDisk(one.admin, 'work', 'both')
    const send = (from: number) =>
      Promise.all(
        Array.from({ length: 32 }, (_, i) => {
          const at = (from + i) * chunk
          const { admin } = i % 2 === 0 ? one : other
          return write(admin, disk.id, at, data.subarray(at, at + chunk))
        }),
      )
    await send(0)
    for (const { admin } of [one, other]) {
      const { written } = await admin.call('disk_import_view', { params: { disk: disk.id } })
      expect(written).toEqual([{ offset: 0, length: 32 * chunk }])
    }
    await send(32)
    await other.admin.call('disk_bulk_write_import_stop', { params: { disk: disk.id } })
    const body = { snapshot_name: 'both' }
    await one.admin.call('disk_finalize_import', { params: { disk: disk.id }, body })
    // The call may answer while the disk is still being finalized.
    const { id } = await until(
      () => other.admin.call('snapshot_view', { params: { snapshot: 'both' }, query }),
      ({ state }) => expect(state).toBe('ready'),
    )
    for (const { admin } of [one, other]) {
      expect((await contentsOf(admin, 'snapshots', id, 0, data.length)).equals(data)).toBe(true)
    }
  })

  test('a chunk being written on one keeps the other from ending the import', async () => {
    const disk = await importingDisk(one.admin, 'work', 'slow')
    const { volumes } = one.host.controlPlane.engines
    const { write: writeNow } = volumes
    const began = Promise.withResolvers<void>()
    const advance = Promise.withResolvers<void>()
    volumes.write = async (...args) => {
      began.resolve()
      await advance.promise
      return writeNow(...args)
    }
    onTestFinished(() => void (volumes.write = writeNow))
    const data = randomBytes(4096)
    const writing = write(one.admin, disk.id, 0, data)
    await began.promise
    let stopped = false
    const stopping = other.admin
      .call('disk_bulk_write_import_stop', { params: { disk: disk.id } })
      .then(() => (stopped = true))
    await until(
      () => other.admin.call('disk_view', { params: { disk: disk.id } }),
      ({ state }) => expect(state.state).toBe('import_ready'),
    )
    expect(stopped).toBe(false)
    advance.resolve()
    await Promise.all([writing, stopping])
    expect((await contentsOf(other.admin, 'disks', disk.id, 0, 4096)).equals(data)).toBe(true)
  })

  test('things created on one can be used on the other at once', async () => {
    const callers = [one, other].map(({ url }) => new Caller(url, one.admin.cookie))
    let calls = 0
    // As behind a load balancer that alternates.
    const next = () => callers[calls++ % 2]!
    for (let round = 0; round < 10; round++) {
      const disk = `turn-${round}`
      const { id } = await detachedDisk(next(), query, disk)
      const body = { name: disk, description: '', disk: id }
      const snapshot = await next().call('snapshot_create', { query, body })
      expect(snapshot.state).toBe('ready')
      expect((await next().call('disk_view', { params: { disk: id } })).state.state).toBe(
        'detached',
      )
      await next().call('snapshot_delete', { params: { snapshot: snapshot.id } })
      await next().call('disk_delete', { params: { disk: id } })
      const values = { boot_disk: { type: 'create', ...blankDisk(disk) } }
      const instance = await stoppedInstance(next(), query, disk, values)
      await next().call('instance_delete', { params: { instance: instance.id } })
      await next().call('disk_delete', { params: { disk }, query })
    }
  })

  test('a machine has its console on both, and accepts keys on both', async () => {
    const id = await createRunning(one, 'console')
    const views = [one, other].map((server) =>
      viewConsole(server.url, server.admin, id, { prefix: following }),
    )
    const [first, second] = views as [(typeof views)[0], (typeof views)[0]]
    await Promise.all(views.map(({ opened }) => opened))
    for (const { seen } of views) await expect.poll(seen).toMatch(/multi-user[^]*console:~# $/)
    for (const [index, { type }] of views.entries()) {
      type(`printf from-${index}\\n\r`)
      for (const { seen } of views) {
        await expect.poll(seen).toMatch(new RegExp(`\r\nfrom-${index}\r\nconsole:~# $`))
      }
    }
    expect(first.seen()).toBe(second.seen())
    expect(first.places).toEqual(second.places)
    const whole = { params: { instance: id }, query: { from_start: 0 } }
    const histories = await Promise.all(
      [one, other].map(({ admin }) => admin.call('instance_serial_console', whole)),
    )
    expect(histories[0]).toEqual(histories[1])
  })

  test('a command runs at the pace of its only viewer, on whichever server', async () => {
    const id = await createRunning(one, 'paced')
    for (const server of [one, other]) {
      const viewer = viewConsole(server.url, server.admin, id, {
        prefix: following,
        query: { most_recent: '0' },
      })
      await viewer.opened
      viewer.type('seq 200000\r')
      await expect.poll(() => viewer.seen().slice(-30)).toMatch(/\r\n200000\r\npaced:~# $/)
      expect(viewer.seen().split('\r\n')).toHaveLength(200_002)
      viewer.socket.close()
    }
  })

  test('viewers on both see a reboot requested on one, which happens once', async () => {
    const id = await createRunning(other, 'rebooted')
    const views = [one, other].map((server) =>
      viewConsole(server.url, server.admin, id, { prefix: following }),
    )
    for (const { seen } of views) await expect.poll(seen).toMatch(/rebooted:~# $/)
    await other.admin.call('instance_reboot', { params: { instance: id } })
    await reaches(one.admin, id, 'running')
    for (const { places } of views) {
      await expect.poll(() => places.at(-1)?.boot).toMatch(/\.1$/)
      expect(places.at(-1)!.offset).toBe(0)
    }
    const machine = await one.db
      .selectFrom('simulated_machine')
      .innerJoin('instance', 'instance.vm_id', 'simulated_machine.id')
      .select('reboots')
      .where('instance.id', '=', id)
      .executeTakeFirstOrThrow()
    expect(machine.reboots).toBe(1)
  })

  test('a guest reboots and powers off its machine, wherever that is typed', async () => {
    const id = await createRunning(one, 'own-will')
    const views = [one, other].map((server) =>
      viewConsole(server.url, server.admin, id, { prefix: following }),
    )
    for (const { seen } of views) await expect.poll(seen).toMatch(/own-will:~# $/)
    for (const [index, { type }] of views.entries()) {
      type('cd /etc; reboot\r')
      for (const { places, seen } of views) {
        await expect.poll(() => places).toHaveLength(index + 2)
        await expect.poll(seen).toMatch(/Welcome to own-will[^]*own-will:~# $/)
      }
    }
    await reaches(other.admin, id, 'running')
    views[1]!.type('poweroff\r')
    await reaches(one.admin, id, 'stopped')
    for (const { seen } of views) await expect.poll(seen).toMatch(/Power down\r\n$/)
  })

  test('the log of a stopped machine is complete on both, as soon as it has stopped', async () => {
    for (const [by, at] of [
      [one, other],
      [other, one],
    ] as const) {
      const id = await createRunning(one, `ended-${by === one ? 'one' : 'other'}`)
      const viewer = viewConsole(at.url, at.admin, id, { prefix: following })
      await expect.poll(viewer.seen).toMatch(/:~# $/)
      await by.admin.call('instance_stop', { params: { instance: id } })
      await reaches(at.admin, id, 'stopped')
      const logs = await Promise.all(
        [one, other].map(({ admin }) =>
          admin.call('serial_console_log', { params: { instance: id } }),
        ),
      )
      const text = Buffer.from(logs[0]!.data, 'base64').toString()
      expect(text).toMatch(/Power down\r\n$/)
      expect(logs[1]).toEqual(logs[0])
      await expect.poll(viewer.seen).toBe(text)
    }
  })

  test('starts and stops on both, in any order, end as the last one requested', async () => {
    const body = smallInstance('raced')
    const { id } = await one.admin.call('instance_create', { query, body })
    await reaches(one.admin, id, 'stopped')
    const params = { instance: id }
    for (let round = 0; round < 8; round++) {
      await Promise.all(
        [one, other].flatMap(({ admin }) => [
          admin.send('POST', `/v1/instances/${id}/start`),
          admin.send('POST', `/v1/instances/${id}/stop`),
        ]),
      )
      await until(
        () => one.admin.call('instance_view', { params }),
        ({ run_state }) => expect(['running', 'stopped']).toContain(run_state),
      )
    }
    await until(
      async () => (await other.admin.send('POST', `/v1/instances/${id}/stop`)).status,
      (status) => expect(status).toBe(202),
    )
    await reaches(one.admin, id, 'stopped')
    const machines = await one.db
      .selectFrom('simulated_machine')
      .select('id')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('instance')
              .select('instance.id')
              .where((eb) =>
                eb.or([
                  eb('vm_id', '=', eb.ref('simulated_machine.id')),
                  eb('last_vm_id', '=', eb.ref('simulated_machine.id')),
                ]),
              ),
          ),
        ),
      )
      .execute()
    expect(machines).toEqual([])
  })

  /**
   * Holds up the steps of a server that create a volume.
   * @returns a function that lets them continue
   */
  function holdVolumes({ host }: TestServer) {
    const { volumes } = host.controlPlane.engines
    const { create } = volumes
    const began = Promise.withResolvers<void>()
    const advance = Promise.withResolvers<void>()
    volumes.create = async (...args) => {
      began.resolve()
      await advance.promise
      return create(...args)
    }
    onTestFinished(() => void (volumes.create = create))
    return { began: began.promise, advance: advance.resolve }
  }
  /**
   * Holds up both, as either may claim a row.
   * @returns the server with the claim, and the other
   */
  async function holdBoth() {
    const held = [one, other].map(holdVolumes)
    const first = await Promise.race(held.map(({ began }, index) => began.then(() => index)))
    return { claimant: held[first]!, rival: held[1 - first]! }
  }
  const claimOf = (name: string) =>
    one.db
      .selectFrom('disk')
      .select(['id', 'state', 'fence', 'lease_until', 'generation'])
      .where('name', '=', name)
      .executeTakeFirstOrThrow()

  test('a long step keeps its claim', async () => {
    const holding = holdBoth()
    const creating = one.admin.call('disk_create', { query, body: blankDisk('long') })
    const { claimant, rival } = await holding
    const before = await claimOf('long')
    await until(
      () => claimOf('long'),
      ({ lease_until }) => expect(lease_until).toBeGreaterThan(before.lease_until!),
    )
    expect((await claimOf('long')).fence).toBe(before.fence)
    claimant.advance()
    rival.advance()
    await creating
    await until(
      () => claimOf('long'),
      ({ lease_until, state }) => {
        expect(lease_until).toBeNull()
        expect(state).toBe('detached')
      },
    )
  })

  test('a step that has lost its claim writes nothing', async () => {
    const holding = holdBoth()
    const creating = one.admin.call('disk_create', { query, body: blankDisk('lost') })
    const { claimant, rival } = await holding
    rival.advance()
    const { id, fence } = await claimOf('lost')
    // As after a pause of the whole process: the lease has run out, and the other server takes
    // over.
    await until(
      async () => {
        await one.db.updateTable('disk').set({ lease_until: 0 }).where('id', '=', id).execute()
        return claimOf('lost')
      },
      (row) => expect(row.fence).toBeGreaterThan(fence),
    )
    await until(
      () => claimOf('lost'),
      (row) => expect(row.state).toBe('detached'),
    )
    const after = await claimOf('lost')
    claimant.advance()
    await creating
    await one.admin.call('disk_delete', { params: { disk: id } })
    expect((await claimOf('lost')).generation).toBe(after.generation + 1)
  })

  test('a server that starts leaves the rows claimed by others alone', async () => {
    const { id } = await one.admin.call('instance_create', { query, body: smallInstance('held') })
    await reaches(one.admin, id, 'stopped')
    // Other leases are free for the server that starts.
    const heldLeases = () =>
      one.db
        .selectFrom('lease')
        .select(['id', 'token'])
        .where('lease_until', '>', 0)
        .orderBy('id')
        .execute()
    const before = await heldLeases()
    expect(before.length).toBeGreaterThan(0)
    const row = () =>
      one.db.selectFrom('instance').select('fence').where('id', '=', id).executeTakeFirstOrThrow()
    // A claim lasts five seconds, which a start may take on a busy machine.
    const renew = async () => {
      const { lease_until } = await one.db
        .selectFrom('lease')
        .select('lease_until')
        .orderBy('lease_until', 'desc')
        .executeTakeFirstOrThrow()
      await one.db.updateTable('instance').set({ lease_until }).where('id', '=', id).execute()
    }
    await renew()
    const claimed = await row()
    let joins = true
    const renewing = (async () => {
      while (joins) await renew()
    })()
    const third = await joined(one)
    joins = false
    await renewing
    expect((await row()).fence).toBe(claimed.fence)
    expect(await heldLeases()).toEqual(expect.arrayContaining(before))
    await third.close()
  })

  test('a device begins on one and polls the other, and its token ends on both', async () => {
    const device = await newDevice(one.anonymous)
    const body = { user_code: device.codes.user_code }
    await other.admin.call('device_auth_confirm', { body })
    const { access_token, token_id } = (await device.poll()).body as Granted
    const [here, there] = [one, other].map(({ anonymous }) => anonymous.withToken(access_token))
    const stream = new EventStream(await there!.fetch('/x/v1/events'))
    await stream.block()
    await here!.call('current_user_access_token_delete', { params: { token_id } })
    // The other server learns it from the event.
    await stream.end()
    expect(await here!.refusal('current_user_view')).toMatchObject({ status: 401 })
    expect(await there!.refusal('current_user_view')).toMatchObject({ status: 401 })
  })

  test('a user deleted on one is signed out on the other', async () => {
    const { id } = await one.createUser('leaver')
    const there = await other.signInAs(id)
    const stream = new EventStream(await there.fetch('/x/v1/events'))
    await stream.block()
    const params = { user_id: id }
    await one.admin.call('local_idp_user_delete', { params, query: { silo: 'main' } })
    await stream.end()
    expect(await there.refusal('current_user_view')).toMatchObject({ status: 401 })
  })

  test('machines and their consoles survive the end of the server that drives them', async () => {
    const first = await startTestServer()
    onTestFinished(first.drop)
    const second = await joined(first)
    await first.admin.call('project_create', { body: { name: 'work', description: '' } })
    const id = await createRunning(second, 'survivor')
    // The first one to start drives all sleds.
    await first.host.close()
    const viewer = viewConsole(second.url, second.admin, id)
    await viewer.opened
    await expect.poll(viewer.seen).toMatch(/survivor:~# $/)
    viewer.type('printf alive\\n\r')
    await expect.poll(viewer.seen).toMatch(/\r\nalive\r\nsurvivor:~# $/)
    await second.admin.call('instance_stop', { params: { instance: id } })
    await reaches(second.admin, id, 'stopped')
    await second.close()
  })
})

test.runIf(inject('dialect') === 'postgres')(
  'a start that cannot read the clock of the database closes its connections',
  async () => {
    const { databaseUrl, drop } = await ownDatabase()
    onTestFinished(drop)
    const host = await openPostgres(databaseUrl!)
    const { kysely } = host
    const timeless: typeof kysely = {
      createAdapter: () => kysely.createAdapter(),
      createIntrospector: (db) => kysely.createIntrospector(db),
      createQueryCompiler: () => kysely.createQueryCompiler(),
      createDriver() {
        const driver = kysely.createDriver()
        const acquire = driver.acquireConnection.bind(driver)
        driver.acquireConnection = async () => {
          const connection = await acquire()
          const execute = connection.executeQuery.bind(connection)
          connection.executeQuery = async (query) => {
            if (/^select cast.*clock_timestamp/.test(query.sql)) throw new Error('it has no time')
            return execute(query)
          }
          return connection
        }
        return driver
      },
    }
    const starting = createControlPlane({
      database: { ...host, kysely: timeless },
      engine: simulatedEngine(memoryBlockStore()),
      passwords: { hash: async (password) => password, verify: async (a, b) => a === b },
    })
    await expect(starting).rejects.toThrow('it has no time')
    expect(host.connections!()).toEqual({ used: 0, idle: 0, waiting: 0 })
  },
)
