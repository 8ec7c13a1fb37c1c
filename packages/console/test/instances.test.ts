import type { ExternalIp, Instance } from '@steading/api/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../src/data/api.ts'
import { makesStale, isRemovedHere } from '../src/data/stale.ts'
import { restartOutlook } from '../src/compute/instances/auto-restart.ts'
import { ipUrl, reachableIps, sortExternalIps } from '../src/compute/instances/external-ips.tsx'
import { instanceUpdate } from '../src/compute/instances/queries.ts'
import { createTransitionWatch, instanceInterval } from '../src/compute/instances/polling.ts'
import { fromNow } from '../../control-plane/test/support/times.ts'

const instance = (values: Partial<Instance>): Instance => ({
  id: 'id',
  name: 'name',
  description: '',
  timeCreated: new Date(0),
  timeModified: new Date(0),
  projectId: 'project',
  ncpus: 2,
  memory: 2 ** 30,
  hostname: 'name',
  runState: 'running',
  timeRunStateUpdated: new Date(0),
  bootDiskId: 'disk',
  autoRestartEnabled: true,
  autoRestartPolicy: null,
  cpuPlatform: 'amd_milan',
  enableJumboFrames: true,
  ...values,
})

describe('polling of the list', () => {
  it('is fast for half a minute after a transition begins', () => {
    let now = 0
    const watch = createTransitionWatch(() => now)
    expect(watch([{ id: 'a', runState: 'running' }])).toBe(60_000)
    expect(watch([{ id: 'a', runState: 'stopping' }])).toBe(3000)
    now = 29_000
    expect(watch([{ id: 'a', runState: 'stopping' }])).toBe(3000)
    now = 31_000
    expect(watch([{ id: 'a', runState: 'stopping' }])).toBe(60_000)
    expect(watch([{ id: 'a', runState: 'starting' }])).toBe(3000)
    expect(watch([{ id: 'a', runState: 'running' }])).toBe(60_000)
  })
})

describe('polling of one instance', () => {
  const inAnHour = fromNow(3_600_000)
  it.each([
    [{ runState: 'starting' }, 2000],
    [{ runState: 'running' }, false],
    [{ runState: 'failed', autoRestartEnabled: false }, false],
    [{ runState: 'failed' }, 2000],
    [{ runState: 'failed', autoRestartCooldownExpiration: inAnHour }, 30_000],
  ] as const)('%o', (values, interval) => {
    expect(instanceInterval(instance(values))).toBe(interval)
  })
})

it('tells when a failed instance comes back', () => {
  const now = new Date('2026-01-01T12:00:00Z')
  const at = (time: string) => ({ autoRestartCooldownExpiration: new Date(`2026-01-01T${time}Z`) })
  expect(restartOutlook(instance({ autoRestartEnabled: false }), now)).toEqual({ kind: 'never' })
  expect(restartOutlook(instance({}), now)).toEqual({ kind: 'soon' })
  expect(restartOutlook(instance(at('11:59:00')), now)).toEqual({ kind: 'soon' })
  expect(restartOutlook(instance(at('12:04:30')), now)).toEqual({
    kind: 'waiting',
    duration: '4m',
  })
})

it('sends all fields that an update replaces', () => {
  expect(instanceUpdate(instance({}), { ncpus: 4 })).toEqual({
    ncpus: 4,
    memory: 2 ** 30,
    bootDisk: 'disk',
    autoRestartPolicy: null,
    cpuPlatform: 'amd_milan',
    enableJumboFrames: true,
  })
})

it('orders addresses, and omits unreachable ones', () => {
  const ips = [
    { kind: 'snat', ip: '1.1.1.1' },
    { kind: 'ephemeral', ip: '2.2.2.2' },
    { kind: 'floating', ip: '3.3.3.3' },
  ] as ExternalIp[]
  const kinds = (list: ExternalIp[]) => list.map(({ kind }) => kind)
  expect(kinds(sortExternalIps(ips))).toEqual(['floating', 'ephemeral', 'snat'])
  expect(kinds(reachableIps(ips))).toEqual(['floating', 'ephemeral'])
  expect(ipUrl('fd00::1')).toBe('https://[fd00::1]')
})

describe('a change of one instance', () => {
  const change = { resource: 'instances', resource_id: 'id-a', name: 'a' }
  const query = { project: 'p' }
  it.each([
    ['instanceList', { query }, true],
    ['instanceView', { path: { instance: 'a' }, query }, true],
    ['instanceView', { path: { instance: 'id-a' } }, true],
    ['tagsView', { path: { kind: 'instance', thing: 'id-a' } }, true],
    ['tagsView', { path: { kind: 'instance', thing: 'id-b' } }, false],
    ['instanceExternalIpList', { path: { instance: 'b' }, query }, false],
    ['instanceNetworkInterfaceList', { query: { ...query, instance: 'b' } }, false],
    ['imageList', {}, false],
  ])('%s %o', (operation, args, expected) => {
    expect(makesStale(change, [operation, args])).toBe(expected)
  })
})

describe('an item that this page deletes or renames', () => {
  const query = { project: 'p' }
  const about = (operation: string, args: unknown) => {
    const queryKey = [operation, args]
    queryClient.setQueryData(queryKey, {})
    return queryClient.getQueryCache().find({ queryKey, exact: true })!
  }
  const instanceView = ['instanceView', { path: { instance: 'a' }, query }] as const
  /**
   * Sends a deletion, or a change, of instance a.
   * @returns a function that answers it
   */
  function remove(operation = 'instanceDelete', body?: object) {
    const { promise: mutation, resolve, reject } = Promise.withResolvers<void>()
    const answered = queryClient
      .getMutationCache()
      .build(queryClient, { mutationKey: [operation], mutationFn: () => mutation })
      .execute({ path: { instance: 'a' }, query, body } as never)
      .catch(() => {})
    return { succeed: () => (resolve(), answered), fail: () => (reject(new Error()), answered) }
  }
  afterEach(() => {
    queryClient.clear()
    vi.useRealTimers()
  })

  it.each([
    ['instanceView', { path: { instance: 'a' }, query }, true],
    ['instanceDiskList', { path: { instance: 'a' }, query }, true],
    ['instanceNetworkInterfaceList', { query: { ...query, instance: 'a' } }, true],
    ['instanceView', { path: { instance: 'b' }, query }, false],
    ['instanceList', { query }, false],
  ])('is not read again: %s %o', async (operation, args, expected) => {
    vi.useFakeTimers()
    const read = about(operation, args)
    const { succeed } = remove()
    expect(isRemovedHere(read)).toBe(expected)
    await succeed()
    expect(isRemovedHere(read)).toBe(expected)
  })

  it('is found by its ID in any argument', () => {
    const id = '5f9b2a3c-0000-4000-8000-000000000000'
    const read = about('userDetailsList', { query: { group: id } })
    void queryClient
      .getMutationCache()
      .build(queryClient, { mutationKey: ['groupDelete'], mutationFn: () => new Promise(() => {}) })
      .execute({ path: { groupId: id } } as never)
    expect(isRemovedHere(read)).toBe(true)
    expect(isRemovedHere(about('userDetailsList', { query: { group: 'other' } }))).toBe(false)
  })

  it('is read again if the deletion fails, or if its name is reused', async () => {
    vi.useFakeTimers()
    const failing = remove()
    await failing.fail()
    expect(isRemovedHere(about(...instanceView))).toBe(false)
    await remove().succeed()
    vi.advanceTimersByTime(1)
    expect(isRemovedHere(about(...instanceView))).toBe(false)
  })

  it.each([
    [{ name: 'b' }, true],
    [{ name: 'a', description: 'x' }, false],
    [{ description: 'x' }, false],
  ])('is not read by its old name: %o', async (body, expected) => {
    vi.useFakeTimers()
    const read = about(...instanceView)
    const { succeed } = remove('instanceUpdate', body)
    expect(isRemovedHere(read)).toBe(expected)
    await succeed()
    expect(isRemovedHere(read)).toBe(expected)
  })

  it('is not the item that something is removed from', () => {
    const read = about(...instanceView)
    remove('instanceEphemeralIpDetach')
    expect(isRemovedHere(read)).toBe(false)
  })
})

describe('the end of one instance', () => {
  const change = { resource: 'instances', action: 'delete', resource_id: 'id-a', name: 'a' }
  const query = { project: 'p' }
  it.each([
    ['instanceList', { query }, true],
    ['instanceView', { path: { instance: 'a' }, query }, true],
    ['instanceExternalIpList', { path: { instance: 'a' }, query }, false],
    ['instanceNetworkInterfaceList', { query: { ...query, instance: 'a' } }, false],
    ['tagsView', { path: { kind: 'instance', thing: 'id-a' } }, false],
    ['noteView', { path: { kind: 'instance', thing: 'id-a' } }, false],
    ['tagList', {}, true],
  ])('%s %o', (operation, args, expected) => {
    expect(makesStale(change, [operation, args])).toBe(expected)
  })
})
