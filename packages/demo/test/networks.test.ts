import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type ApiClient, type ReachabilityEnd } from '@steading/api/client'
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

const INTERNET = 'the internet'
const end = (name: string): ReachabilityEnd => {
  if (name === INTERNET) return { type: 'internet' }
  return /^[\d.]+$/.test(name)
    ? { type: 'address', address: name }
    : { type: 'instance', instance: name }
}
const ask = async (from: string, to: string, port: number, project = 'storefront') =>
  must(
    await api.reachabilityTest({
      query: { project },
      body: { from: end(from), to: end(to), protocol: 'tcp', port },
    }),
  )

describe('the networks of the demo', () => {
  it.each([
    ['bastion', 'orders-db', 5432, true],
    ['web-1', 'orders-db', 5432, true],
    ['api-1', 'orders-db', 5432, false],
    ['staging-web', 'orders-db', 5432, false],
    [INTERNET, 'orders-db', 5432, false],
    ['web-1', 'orders-db', 22, false],
    ['bastion', 'orders-db', 22, true],
    ['198.51.100.200', 'bastion', 22, true],
    [INTERNET, 'bastion', 22, false],
    [INTERNET, 'web-2', 443, true],
    ['api-1', INTERNET, 443, true],
    ['api-1', '172.31.0.9', 443, false],
  ])('let %s reach %s on port %i: %s', async (from, to, port, reachable) => {
    expect(await ask(from, to, port)).toMatchObject({ reachable })
  })

  it("reach the internet through the gateway of a subnet's routes", async () => {
    const { there } = await ask('api-1', INTERNET, 443)
    const route = there.find(({ kind }) => kind === 'route')!
    expect(route).toMatchObject({ router: { name: 'private-routes' }, route: { name: 'internet' } })
    expect(there.find(({ internetGateway }) => internetGateway)).toMatchObject({
      internetGateway: { name: 'egress' },
    })
  })

  it('have IPv4 and IPv6', async () => {
    const { reachable } = must(
      await api.reachabilityTest({
        query: { project: 'storefront' },
        body: {
          from: end('web-1'),
          to: end('orders-db'),
          protocol: 'tcp',
          port: 5432,
          ipVersion: 'v6',
        },
      }),
    )
    expect(reachable).toBe(true)
  })

  it('include a project with a large map', async () => {
    const map = must(await api.projectNetworkView({ path: { project: 'render-farm' } }))
    expect(map.instances).toHaveLength(60)
    expect(map.subnets.filter(({ name }) => name !== 'default')).toHaveLength(3)
    expect(await ask('render-30', 'scenes-1', 2049, 'render-farm')).toMatchObject({
      reachable: true,
    })
  })

  it('have IP pools, one of them nearly exhausted', async () => {
    const { items } = must(await api.systemIpPoolSearch({}))
    expect(items.map(({ name }) => name)).toEqual([
      'default',
      'legacy-v4',
      'multicast-v4',
      'public-v6',
      'science-v4',
      'services',
    ])
    const legacy = items.find(({ name }) => name === 'legacy-v4')!
    expect(legacy.utilization).toMatchObject({ capacity: 8, remaining: 1 })
  })

  it('have external subnets, attached and detached', async () => {
    const { items } = must(await api.externalSubnetList({ query: { project: 'storefront' } }))
    expect(items.map(({ name, instanceId }) => [name, Boolean(instanceId)])).toEqual([
      ['payment-terminals', true],
      ['pop-up-shops', false],
    ])
  })
})
