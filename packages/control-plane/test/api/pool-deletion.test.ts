/** Deletions of IP pools and subnet pools: described, one by one and in bulk. */
import type { Wire } from '@steading/api'
import { errors } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { addressFaults } from '../support/address-account.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { done, jobBody, outcomes, start, targets } from '../support/jobs.ts'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `pool-${count++}`
const about = (name: string) => ({ name, description: '' })
const toMain = { silo: 'main', is_default: false }

/** An IP pool with two exclusive ranges, linked to the silo. */
async function ipPool() {
  const name = fresh()
  const { id } = await admin.call('system_ip_pool_create', { body: about(name) })
  const params = { pool: id }
  for (const [first, last] of [
    ['1', '9'],
    ['20', '20'],
  ]) {
    const body = { first: `198.18.${count}.${first}`, last: `198.18.${count}.${last}` }
    await admin.call('system_ip_pool_range_add', { params, body })
  }
  await admin.call('system_ip_pool_silo_link', { params, body: toMain })
  return { id, name, net: `198.18.${count}` }
}

async function subnetPool() {
  const name = fresh()
  const { id } = await admin.call('system_subnet_pool_create', {
    body: { ...about(name), ip_version: 'v4' },
  })
  const params = { pool: id }
  const subnet = `203.0.${count}.0/24`
  await admin.call('system_subnet_pool_member_add', { params, body: { subnet } })
  await admin.call('system_subnet_pool_silo_link', { params, body: toMain })
  return { id, name, subnet }
}

const said = ({ groups }: Wire.Deletion) =>
  groups.map(
    ({ relation, kind, first, reason, can_go, steps }) =>
      `${relation}${can_go ? '*' : ''} ${[...steps, kind].join(' ')} ${first.map(({ name }) => name).join(', ')}: ${reason}`,
  )
const ofIpPool = async ({ id }: { id: string }, caller = admin) =>
  said(await caller.call('system_ip_pool_deletion', { params: { pool: id } }))
const ofSubnetPool = async ({ id }: { id: string }) =>
  said(await admin.call('system_subnet_pool_deletion', { params: { pool: id } }))

async function deletionOf(
  kind: 'system_ip_pool' | 'system_subnet_pool',
  pools: { id: string }[],
  chain = false,
) {
  const target = targets(...pools.map(({ id }) => id))
  const body = { ...jobBody('delete', kind, target, null), chain }
  return admin.call('job_create', { body })
}

describe('an IP pool', () => {
  test('is described with its ranges and its silos', async () => {
    const pool = await ipPool()
    const goes = [
      `goes ip_pool_range ${pool.net}.1 - ${pool.net}.9, ${pool.net}.20: Removed from the pool`,
      'goes silo_link main: The silo can no longer allocate from the pool',
    ]
    const contains = 'IP Pool cannot be deleted while it contains IP ranges'
    expect(await ofIpPool(pool)).toEqual([
      `blocks* empty system_ip_pool ${pool.name}: ${contains}`,
      ...goes,
    ])
    const viewer = await server.createUser(`viewer-${pool.name}`, { fleet: 'viewer' })
    expect((await ofIpPool(pool, viewer.caller))[0]).toMatch(/^blocks empty/)
    const address = await admin.call('floating_ip_create', {
      query: { project: 'work' },
      body: {
        ...about(pool.name),
        address_allocator: { type: 'explicit', ip: `${pool.net}.20` },
      },
    })
    const inUse = 'IP Pool cannot be deleted while addresses of it are in use'
    expect(await ofIpPool(pool)).toEqual([`blocks system_ip_pool ${pool.name}: ${inUse}`, ...goes])
    // An address of a service.
    await server.db
      .updateTable('ip_pool')
      .set({ assignment: 'system_services' })
      .where('id', 'in', [pool.id, (await ipPool()).id])
      .execute()
    const message = 'IP Pool cannot be deleted while it is assigned to a service'
    expect((await ofIpPool(pool))[0]).toBe(`blocks system_ip_pool ${pool.name}: ${message}`)
    expect(
      await admin.refusal('system_ip_pool_delete', { params: { pool: pool.id } }),
    ).toMatchObject({ status: 400, message })
    await server.db
      .updateTable('ip_pool')
      .set({ assignment: 'silos' })
      .where('assignment', '=', 'system_services')
      .execute()
    await admin.call('floating_ip_delete', { params: { floating_ip: address.id } })
    for (const [first, last] of [
      ['1', '9'],
      ['20', '20'],
    ]) {
      await admin.call('system_ip_pool_range_remove', {
        params: { pool: pool.id },
        body: { first: `${pool.net}.${first}`, last: `${pool.net}.${last}` },
      })
    }
    expect(await ofIpPool(pool)).toEqual(goes.slice(1))
  })

  test('stays if it is the last one of system services', async () => {
    const { id } = await ipPool()
    const services = (assignment: Wire.IpPoolAssignment) =>
      server.db.updateTable('ip_pool').set({ assignment }).where('id', '=', id).execute()
    await services('system_services')
    const [group] = await ofIpPool({ id })
    expect(group).toContain('Cannot delete the last IP Pool assigned for system services use.')
    const job = await deletionOf('system_ip_pool', [{ id }], true)
    expect(job.counts).toMatchObject({ refused: 1, waiting: 0 })
    await services('silos')
  })

  test('is deleted with others, after its ranges were removed', async () => {
    const pools = [await ipPool(), await ipPool()]
    const alone = await deletionOf('system_ip_pool', pools)
    expect(alone.counts).toMatchObject({ refused: 2 })
    const job = await deletionOf('system_ip_pool', pools, true)
    await start(admin, job)
    expect(await done(admin, job)).toMatchObject({ counts: { succeeded: 4 } })
    expect(await outcomes(admin, job)).toEqual([
      ...pools.map(({ name }) => `empty ${name}: succeeded`),
      ...pools.map(({ name }) => `delete ${name}: succeeded`),
    ])
    for (const { id } of pools) {
      expect(await admin.refusal('system_ip_pool_view', { params: { pool: id } })).toMatchObject({
        status: 404,
      })
    }
    expect(await addressFaults(server.db)).toEqual([])
  })

  test('is found by searching, and only by operators', async () => {
    const pool = await ipPool()
    const target: Wire.JobTarget = { type: 'matching', query: { search: pool.name } }
    const body = jobBody('delete', 'system_ip_pool', target, null)
    expect(await admin.call('job_create', { body })).toMatchObject({ name: pool.name, targets: 1 })
    const { caller } = await server.createUser(`silo-${pool.name}`, { silo: 'admin' })
    expect(await caller.refusal('job_create', { body })).toMatchObject(errors.forbidden())
    const byId = jobBody('delete', 'system_ip_pool', targets(pool.id), null)
    expect(await caller.refusal('job_create', { body: byId })).toMatchObject({ status: 404 })
    expect(await admin.refusal('job_create', { body: { ...byId, project: 'work' } })).toMatchObject(
      { status: 400, message: 'project: not for a job about system_ip_pools' },
    )
  })
})

test('a subnet pool is described, and deleted after its members', async () => {
  const pool = await subnetPool()
  const contains =
    'Cannot delete external subnet pool while it contains members. Please delete all external subnet pool members first.'
  const goes = [
    `goes subnet_pool_member ${pool.subnet}: Removed from the pool`,
    'goes silo_link main: The silo can no longer allocate from the pool',
  ]
  expect(await ofSubnetPool(pool)).toEqual([
    `blocks* empty system_subnet_pool ${pool.name}: ${contains}`,
    ...goes,
  ])
  const subnet = await admin.call('external_subnet_create', {
    query: { project: 'work' },
    body: {
      ...about('yard'),
      allocator: {
        type: 'auto',
        prefix_length: 28,
        pool_selector: { type: 'explicit', pool: pool.name },
      },
    },
  })
  expect(await ofSubnetPool(pool)).toEqual([
    `blocks system_subnet_pool ${pool.name}: Subnet pool cannot be deleted while external subnets of it are in use`,
    ...goes,
  ])
  const refused = await deletionOf('system_subnet_pool', [pool], true)
  expect(refused.counts).toMatchObject({ refused: 1, waiting: 0 })
  await admin.call('external_subnet_delete', { params: { external_subnet: subnet.id } })
  const job = await deletionOf('system_subnet_pool', [pool], true)
  await start(admin, job)
  expect(await done(admin, job)).toMatchObject({ counts: { succeeded: 2 } })
  expect(await addressFaults(server.db)).toEqual([])
})
