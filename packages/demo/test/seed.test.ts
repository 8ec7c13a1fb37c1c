import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type ApiClient } from '@steading/api/client'
import { instanceStates } from '@steading/api/rules'
import type { ControlPlane } from '@steading/control-plane'
import { must } from '../src/seed/cloud.ts'
import { openPage, ORIGIN, startDemo } from './support/page.ts'

let controlPlane: ControlPlane
let api: ApiClient
/** The states at the start: changes that are in progress end within a minute. */
let first: Record<'instances' | 'disks', Set<string>>
beforeAll(async () => {
  controlPlane = await startDemo()
  const { fetch } = await openPage(controlPlane)
  api = createClient({ baseUrl: ORIGIN, fetch })
  const [instances, disks] = await Promise.all([allInstances(), allDisks()])
  first = {
    instances: new Set(instances.map(({ runState }) => runState)),
    disks: new Set(disks.map(({ state }) => state.state)),
  }
})
afterAll(() => controlPlane.stop())

const projects = ['ci-runners', 'data-platform', 'render-farm', 'storefront']
const inAll = async <T>(list: (query: { project: string }) => Promise<{ items: T[] }>) =>
  (await Promise.all(projects.map((project) => list({ project })))).flatMap(({ items }) => items)
const allInstances = () => inAll(async (query) => must(await api.instanceList({ query })))
const allDisks = () => inAll(async (query) => must(await api.diskList({ query })))

describe('the cloud of the demo', () => {
  it('has projects with instances in every state', async () => {
    const { items } = must(await api.projectList())
    expect(items.map(({ name }) => name)).toEqual(projects)
    expect(await allInstances()).toHaveLength(87)
    expect(first.instances).toEqual(
      new Set(instanceStates.filter((state) => state !== 'destroyed')),
    )
  })

  it('has releases of a trusted publisher that have not been installed', async () => {
    const { items } = must(await api.systemUpdateRepositoryList({}))
    expect(items.map(({ systemVersion }) => systemVersion).toSorted()).toEqual(['1.0.0', '1.1.0'])
    expect(must(await api.systemUpdateTrustRootList({})).items).toHaveLength(1)
    expect(must(await api.systemUpdateStatus()).targetRelease).toBeNull()
    const preview = await api.updatePreview({ query: { systemVersion: '1.0.0' } })
    expect(must(preview).sleds).toBe(4)
  })

  it('has an alert rule that fires occasionally', async () => {
    const query = { project: 'storefront' }
    const { items } = must(await api.alertRuleSearch({ query }))
    const [rule] = items
    const { comparison, threshold, duration } = rule!
    const body = { query: rule!.query, comparison, threshold, duration, hours: 24 }
    const { firings, series } = must(await api.alertRuleTry({ query, body }))
    expect(series.length).toBeGreaterThan(5)
    expect(firings).toBeGreaterThan(0)
  })

  it('has schedules with runs', async () => {
    const query = { project: 'storefront' }
    const { items } = must(await api.scheduleSearch({ query }))
    expect(items.map(({ name, lastRun }) => [name, lastRun !== null])).toEqual([
      ['before-the-sale', false],
      ['nightly', true],
    ])
    const path = { schedule: 'nightly' }
    const runs = must(await api.scheduleRunList({ path, query })).items
    // The schedule may be due during the test; the oldest runs come last.
    const seeded = runs.slice(-4).map(({ state }) => state)
    expect(seeded).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded'])
  })

  it('has templates that create instances', async () => {
    const ofProject = { project: 'storefront' }
    const used = [
      { path: { instanceTemplate: 'front-end' }, query: ofProject, project: null },
      { path: { instanceTemplate: 'small-machine' }, query: {}, project: 'storefront' },
    ]
    for (const [index, { path, query, project }] of used.entries()) {
      const body = { name: `made-${index}`, project, count: 1, firstNumber: null, values: {} }
      const { items } = must(await api.instanceTemplateUse({ path, query, body }))
      expect(items).toMatchObject([{ name: `made-${index}`, message: null }])
    }
  })

  it('has charts of the last hour in its overviews', async () => {
    await controlPlane.collect()
    const overviews = [
      must(await api.projectOverview({ query: { project: 'storefront' } })),
      must(await api.siloOverview()),
      must(await api.fleetOverview()),
    ]
    // The chart of calls begins once the first minute of the server is over.
    const charts = overviews.map((overview) =>
      overview.charts!.filter(({ name }) => name !== 'requests'),
    )
    expect(charts.map(({ length }) => length)).toEqual([4, 4, 3])
    for (const { name, values } of charts.flat()) {
      expect([name, values.filter((value) => value === null)]).toEqual([name, []])
    }
  })

  it('thins out measurements to any limit', async () => {
    const to = Date.now()
    for (const [minutes, limit] of [
      [65, 20_000],
      [66, 19_000],
      [71, 21_000],
      [77, 6_000],
    ] as const) {
      const where = [{ field: 'state', comparison: '!=' as const, value: 'idle' }]
      const selection = {
        name: 'virtual_machine:vcpu_usage',
        where,
        from: to - minutes * 60_000,
        to,
      }
      const series = await controlPlane.engines.timeSeries!.read(selection, limit)
      const points = series.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
      expect(points).toBeGreaterThan(limit / 3)
      expect(points).toBeLessThanOrEqual(limit)
    }
  })

  it('has metrics of the last 30 days without storing them', async () => {
    const { items } = must(await api.instanceList({ query: { project: 'storefront' } }))
    const { id } = items.find(({ name }) => name === 'orders-db')!
    const ask = async (query: string) => {
      const result = await api.timeseriesQuery({
        query: { project: 'storefront' },
        body: { query },
      })
      return must(result).tables[0]!.timeseries
    }
    const run = `get virtual_machine:vcpu_usage | filter instance_id == "${id}" && state == "run" && vcpu_id == 0`
    const [month] = await ask(`${run} && timestamp > @now()-30d | align mean_within(1d)`)
    const { values } = month!.points.values[0]!.values
    expect(values.length).toBeGreaterThanOrEqual(29)
    // Nanoseconds per five seconds, without omitted points.
    for (const value of values.slice(1) as number[]) {
      expect(value).toBeGreaterThan(0)
      expect(value).toBeLessThan(5e9)
    }
    const [minute] = await ask(`${run} && timestamp > @now()-1m`)
    expect(minute!.points.timestamps.length).toBeGreaterThanOrEqual(11)
    const sleds = must(
      await api.systemTimeseriesQuery({
        body: { query: 'get hardware_component:fan_speed | filter timestamp > @now()-1h | last 1' },
      }),
    ).tables[0]!.timeseries
    expect(sleds.length).toBeGreaterThan(20)
  })

  it('has additional silos, with various quota usage', async () => {
    const { items } = must(await api.siloUtilizationList({}))
    expect(items.map(({ siloName }) => siloName)).toEqual([
      'brewery',
      'city-archive',
      'harbour-office',
      'main',
      'observatory',
    ])
    for (const { provisioned, allocated } of items) {
      expect(provisioned.cpus).toBeLessThanOrEqual(allocated.cpus)
      expect(provisioned.storage).toBeLessThanOrEqual(allocated.storage)
    }
  })

  it('has users with and without second factors, and a provider of each protocol', async () => {
    const namesWith = async (secondFactor: string) =>
      must(await api.userDetailsList({ query: { secondFactor } })).items.map(
        ({ displayName }) => displayName,
      )
    expect(await namesWith('passkey')).toEqual(['Daniel Okafor', 'Kenji Watanabe'])
    expect(await namesWith('totp')).toEqual(['Kenji Watanabe', 'Sofia Marchetti'])
    expect((await namesWith('none')).length).toBeGreaterThan(3)
    const saml = must(await api.siloIdentityProviderSearch({ query: { silo: 'city-archive' } }))
    const oidc = must(await api.oidcIdentityProviderSearch({ query: { silo: 'harbour-office' } }))
    expect([...saml.items, ...oidc.items].map(({ name }) => name)).toEqual(['town-hall', 'pier'])
  })

  it('has a rack with a history', async () => {
    const { items: sleds } = must(await api.sledSearch({}))
    const of = (serial: string) => sleds.find(({ baseboard }) => baseboard.serial === serial)!
    expect(sleds).toHaveLength(5)
    expect(of('BRM-0003')).toMatchObject({ policy: { kind: 'expunged' }, state: 'decommissioned' })
    const maintained = of('BRM-0002')
    expect(maintained.policy).toMatchObject({ provisionPolicy: 'non_provisionable' })
    expect(maintained.maintenance).toMatchObject({ reason: 'Replacement of two fans' })
    const path = { sledId: maintained.id }
    expect(must(await api.sledMaintenanceStatus({ path })).progress!.moved).toBeGreaterThan(0)
    const { items: waiting } = must(await api.sledListUninitialized({}))
    expect(waiting.map(({ baseboard }) => baseboard.serial)).toEqual(['BRM-0006'])
    const { items: unadopted } = must(await api.physicalDiskListUnadopted({}))
    expect(unadopted.map(({ diskId }) => diskId.serial)).toEqual(['BRM-0004-U2-7-R1'])
    const { items: failed } = must(
      await api.physicalDiskSearch({ query: { search: 'BRM-0001-U2-3' } }),
    )
    expect(failed).toMatchObject([{ healthy: false, used: 0 }])
    expect(must(await api.diskReplicaSummary({}))).toMatchObject({ repairing: 0, lost: 0 })
    const { items: groups } = must(await api.multicastGroupList({}))
    expect(groups.map(({ name, state }) => [name, state])).toEqual([
      ['frame-clock', 'Active'],
      ['price-updates', 'Active'],
    ])
  })

  it('has a resource that will run out', async () => {
    const { items } = must(await api.systemForecast({}))
    expect(items.map(({ name }) => name)).toContain('observatory')
    for (const { forecast } of items) expect(forecast.history).toHaveLength(31)
  })

  it('has a certificate', async () => {
    const { items } = must(await api.certificateList({}))
    expect(items.map(({ name }) => name)).toEqual(['console'])
  })

  it('has an instance waiting for a restart, and one that will not be restarted', async () => {
    const failed = (await allInstances()).filter(({ runState }) => runState === 'failed')
    const [waiting, given] = ['airflow', 'runner-4'].map((name) =>
      failed.find((instance) => instance.name === name)!,
    )
    expect(waiting!.autoRestartEnabled).toBe(true)
    expect(Number(waiting!.autoRestartCooldownExpiration)).toBeGreaterThan(Date.now())
    expect(given!.autoRestartEnabled).toBe(false)
  })

  it('has a history, and nothing from the future', async () => {
    const instances = await allInstances()
    const disks = await allDisks()
    const snapshots = await inAll(async (query) => must(await api.snapshotList({ query })))
    const times = [...instances, ...disks, ...snapshots].map(({ timeCreated }) => +timeCreated)
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now())
    expect(Math.min(...times)).toBeLessThan(Date.now() - 150 * 24 * 60 * 60 * 1000)
    for (const { timeRunStateUpdated } of instances) {
      expect(+timeRunStateUpdated).toBeLessThanOrEqual(Date.now())
    }
  })

  it('has disks, images and snapshots', async () => {
    for (const state of ['attached', 'detached', 'faulted', 'import_ready', 'creating']) {
      expect(first.disks).toContain(state)
    }
    expect(await inAll(async (query) => must(await api.snapshotList({ query })))).toHaveLength(8)
    const images = await inAll(async (query) => must(await api.imageList({ query })))
    expect(images.length + must(await api.imageList()).items.length).toBe(6)
  })

  it('has replicas of all disks but those whose creation has not ended', async () => {
    const { db } = controlPlane.database
    const early = await db
      .selectFrom('disk_replica')
      .innerJoin('disk', 'disk.id', 'disk_replica.disk_id')
      .select('disk.name')
      .where('disk.state', '=', 'creating')
      .execute()
    expect(early).toEqual([])
    const counted = await db
      .selectFrom('physical_disk')
      .leftJoin('disk_replica', 'disk_replica.physical_disk_id', 'physical_disk.id')
      .groupBy('physical_disk.id')
      .select(['physical_disk.name', 'physical_disk.used', 'physical_disk.reclaimable'])
      .select(({ fn }) => fn.coalesce(fn.sum('disk_replica.size'), sql`0`).as('bytes'))
      .execute()
    for (const { used, reclaimable, bytes } of counted) {
      expect(Number(used) + Number(reclaimable)).toBe(Number(bytes))
    }
  })

  it('has people, a service account, groups and their roles', async () => {
    expect(must(await api.userList()).items).toHaveLength(8 + 1)
    const groups = must(await api.groupList()).items
    expect(groups).toHaveLength(3)
    const { roleAssignments } = must(await api.policyView())
    for (const { id } of groups) {
      expect(roleAssignments.some(({ identityId }) => identityId === id)).toBe(true)
    }
    expect(must(await api.currentUserSshKeyList()).items).toHaveLength(2)
    expect(must(await api.currentUserGroups()).items).toHaveLength(1)
  })

  it('refuses users without a role', async () => {
    const { fetch } = await openPage(controlPlane, { visitor: 'Lucas Moreau' })
    const visitor = createClient({ baseUrl: ORIGIN, fetch })
    expect((await visitor.projectList()).status).toBe(403)
  })

  it('starts a stopped instance', async () => {
    const at = { path: { instance: 'notebooks' }, query: { project: 'data-platform' } }
    expect(must(await api.instanceStart(at)).runState).toBe('starting')
    await expect.poll(async () => must(await api.instanceView(at)).runState).toBe('running')
  })
})
