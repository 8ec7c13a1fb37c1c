import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type ApiClient } from '@steading/api/client'
import { instanceStates } from '@steading/api/rules'
import type { ControlPlane } from '@steading/control-plane'
import { must } from '../src/seed/cloud.ts'
import { openPage, ORIGIN, startDemo } from './support/page.ts'

let controlPlane: ControlPlane
let api: ApiClient
beforeAll(async () => {
  controlPlane = await startDemo()
  const { fetch } = await openPage(controlPlane)
  api = createClient({ baseUrl: ORIGIN, fetch })
})
afterAll(() => controlPlane.stop())

const projects = ['ci-runners', 'data-platform', 'render-farm', 'storefront']
const inAll = async <T>(list: (query: { project: string }) => Promise<{ items: T[] }>) =>
  (await Promise.all(projects.map((project) => list({ project })))).flatMap(({ items }) => items)
const allInstances = () => inAll(async (query) => must(await api.instanceList({ query })))

describe('the cloud of the demo', () => {
  it('has projects with instances in every state', async () => {
    const { items } = must(await api.projectList())
    expect(items.map(({ name }) => name)).toEqual(projects)
    const instances = await allInstances()
    expect(instances).toHaveLength(87)
    const states = new Set(instances.map(({ runState }) => runState))
    expect(states).toEqual(new Set(instanceStates.filter((state) => state !== 'destroyed')))
  })

  it('has silos beside the first one, which use different parts of their quotas', async () => {
    const { items } = must(await api.siloUtilizationList({}))
    expect(items.map(({ siloName }) => siloName)).toEqual([
      'brewery',
      'city-archive',
      'main',
      'observatory',
    ])
    for (const { provisioned, allocated } of items) {
      expect(provisioned.cpus).toBeLessThanOrEqual(allocated.cpus)
      expect(provisioned.storage).toBeLessThanOrEqual(allocated.storage)
    }
  })

  it('has a certificate', async () => {
    const { items } = must(await api.certificateList({}))
    expect(items.map(({ name }) => name)).toEqual(['console'])
  })

  it('has an instance that waits to be restarted, and one that will not be', async () => {
    const failed = (await allInstances()).filter(({ runState }) => runState === 'failed')
    const [waiting, given] = ['airflow', 'runner-4'].map((name) =>
      failed.find((instance) => instance.name === name)!,
    )
    expect(waiting!.autoRestartEnabled).toBe(true)
    expect(Number(waiting!.autoRestartCooldownExpiration)).toBeGreaterThan(Date.now())
    expect(given!.autoRestartEnabled).toBe(false)
  })

  it('has a past, and nothing from the future', async () => {
    const instances = await allInstances()
    const disks = await inAll(async (query) => must(await api.diskList({ query })))
    const snapshots = await inAll(async (query) => must(await api.snapshotList({ query })))
    const times = [...instances, ...disks, ...snapshots].map(({ timeCreated }) => +timeCreated)
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now())
    expect(Math.min(...times)).toBeLessThan(Date.now() - 150 * 24 * 60 * 60 * 1000)
    for (const { timeRunStateUpdated } of instances) {
      expect(+timeRunStateUpdated).toBeLessThanOrEqual(Date.now())
    }
  })

  it('has disks, images and snapshots', async () => {
    const disks = await inAll(async (query) => must(await api.diskList({ query })))
    const states = new Set(disks.map(({ state }) => state.state))
    for (const state of ['attached', 'detached', 'faulted', 'import_ready', 'creating'] as const) {
      expect(states).toContain(state)
    }
    expect(await inAll(async (query) => must(await api.snapshotList({ query })))).toHaveLength(5)
    const images = await inAll(async (query) => must(await api.imageList({ query })))
    expect(images.length + must(await api.imageList()).items.length).toBe(6)
  })

  it('has people, groups and their roles', async () => {
    expect(must(await api.userList()).items).toHaveLength(8)
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
    await expect
      .poll(async () => must(await api.instanceView(at)).runState, { timeout: 10_000 })
      .toBe('running')
  }, 15_000)
})
