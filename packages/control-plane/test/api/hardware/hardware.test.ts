/** Control plane specification 10.1: the contents of the rack. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { smallInstance, reaches } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

const nowhere = crypto.randomUUID()

describe('a new rack', () => {
  test('has two switches, four sleds and their disks', async () => {
    const [rack, ...others] = (await admin.call('rack_list')).items
    expect(others).toEqual([])
    expect(await admin.call('rack_view', { params: { rack_id: rack!.id } })).toEqual(rack)

    const { items: switches } = await admin.call('switch_details_list')
    expect(switches.map(({ slot, rack_id }) => [slot, rack_id])).toEqual([
      ['switch0', rack!.id],
      ['switch1', rack!.id],
    ])
    const { slot: _, ...plain } = switches[0]!
    expect(await admin.call('switch_view', { params: { switch_id: plain.id } })).toEqual(plain)

    const { items: sleds } = await admin.call('sled_search')
    expect(sleds.map(({ baseboard }) => baseboard.serial)).toEqual([
      'BRM-0001',
      'BRM-0002',
      'BRM-0003',
      'BRM-0004',
    ])
    for (const sled of sleds) {
      expect(sled).toMatchObject({
        rack_id: rack!.id,
        policy: { kind: 'in_service', provision_policy: 'provisionable' },
        state: 'active',
        responding: true,
      })
      const params = { sled_id: sled.id }
      const { items: disks } = await admin.call('sled_physical_disk_list', {
        params,
        query: { limit: 100 },
      })
      expect(disks.filter(({ form_factor }) => form_factor === 'u2')).toHaveLength(10)
      expect(disks.filter(({ form_factor }) => form_factor === 'm2')).toHaveLength(2)
      expect(disks.every(({ sled_id }) => sled_id === sled.id)).toBe(true)
    }
  })

  test('is listed page by page, by id', async () => {
    const ids: string[] = []
    let page_token: string | undefined
    do {
      const page = await admin.call('physical_disk_list', { query: { limit: 20, page_token } })
      ids.push(...page.items.map(({ id }) => id))
      page_token = page.next_page ?? undefined
    } while (page_token)
    expect(ids).toHaveLength(48)
    expect(ids.toSorted()).toEqual(ids)
  })

  test('can be searched and filtered', async () => {
    const [sled] = (await admin.call('sled_search', { query: { search: 'brm-0003' } })).items
    expect(sled!.baseboard.serial).toBe('BRM-0003')
    const found = await admin.call('physical_disk_search', {
      query: { sled: sled!.id, form_factor: 'm2', sort_by: 'slot_descending' },
    })
    expect(found.total).toBe(2)
    expect(found.items.map(({ slot, sled_serial }) => [slot, sled_serial])).toEqual([
      [1, 'BRM-0003'],
      [0, 'BRM-0003'],
    ])
    const words = await admin.call('physical_disk_search', { query: { count_by: 'form_factor' } })
    expect(words.counts).toEqual([
      { word: 'm2', count: 8 },
      { word: 'u2', count: 40 },
    ])
  })
})

test.each([
  ['rack_view', 'rack_id', 'rack'],
  ['switch_view', 'switch_id', 'switch'],
  ['sled_view', 'sled_id', 'sled'],
  ['sled_instance_list', 'sled_id', 'sled'],
  ['sled_physical_disk_list', 'sled_id', 'sled'],
  ['physical_disk_view', 'disk_id', 'physical-disk'],
] as const)('%s of something that is not there', async (operation, param, type) => {
  const params = { [param]: nowhere } as never
  expect(await admin.refusal(operation, { params })).toMatchObject({
    status: 404,
    message: `not found: ${type} with id "${nowhere}"`,
  })
})

test('shows the instances on a sled, and their resources', async () => {
  const body = smallInstance('box', { network_interfaces: { type: 'none' }, start: true })
  const { id, ncpus, memory } = await admin.call('instance_create', { query, body })
  await reaches(admin, id, 'running')
  const { items } = await admin.call('sled_search', {
    query: { sort_by: 'used_hardware_threads_descending' },
  })
  const [sled] = items
  expect(sled).toMatchObject({ used_hardware_threads: ncpus, used_physical_ram: memory })
  const params = { sled_id: sled!.id }
  expect((await admin.call('sled_instance_list', { params })).items).toEqual([
    expect.objectContaining({
      id,
      name: 'box',
      active_sled_id: sled!.id,
      silo_name: 'main',
      project_name: 'work',
      state: 'running',
      ncpus,
      memory,
    }),
  ])
  expect(await admin.call('sled_details_view', { params })).toEqual(sled)
  // A simulated sled has no software of its own.
  expect(await admin.call('sled_host_view', { params })).toEqual({ host: null })
})
