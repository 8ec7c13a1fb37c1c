import { expect, type Scene, test } from '../support/test.ts'
import { heading } from '../support/ui.ts'
import type { Page } from '@playwright/test'

/**
 * Pages and their headings: a list, an overview, tabs with charts, a page of the fleet. Forms whose
 * choices come late show so first, and are not among them.
 */
const few: [path: string, title: string][] = [
  ['/projects/mill/instances', 'Instances'],
  ['/projects/mill/overview', 'mill'],
  ['/projects/mill/instances/wheel/metrics', 'wheel'],
  ['/system/utilization', 'Utilization'],
]
const others: [path: string, title: string][] = [
  ['/overview', 'main'],
  ['/system/overview', 'Fleet'],
  ['/projects', 'Projects'],
  ['/images', 'Silo Images'],
  ['/utilization', 'Utilization'],
  ['/access', 'Silo Access'],
  ['/users', 'Users & Groups'],
  ['/certificates', 'Certificates'],
  ['/audit-log', 'Audit Log'],
  ['/jobs', 'Jobs'],
  ['/settings/profile', 'Profile'],
  ['/settings/ssh-keys', 'SSH Keys'],
  ['/settings/access-tokens', 'Access Tokens'],
  ['/settings/sessions', 'Sessions'],
  ['/projects/mill/disks', 'Disks'],
  ['/projects/mill/snapshots', 'Snapshots'],
  ['/projects/mill/images', 'Project Images'],
  ['/projects/mill/vpcs', 'VPCs'],
  ['/projects/mill/vpcs/default/firewall-rules', 'default'],
  ['/projects/mill/vpcs/default/subnets', 'default'],
  ['/projects/mill/vpcs/default/routers', 'default'],
  ['/projects/mill/vpcs/default/topology', 'default'],
  ['/projects/mill/floating-ips', 'Floating IPs'],
  ['/projects/mill/network-map', 'Network Map'],
  ['/projects/mill/reachability', 'Reachability'],
  ['/projects/mill/external-subnets', 'External Subnets'],
  ['/projects/mill/probes', 'Probes'],
  ['/projects/mill/alert-rules', 'Alert Rules'],
  ['/projects/mill/schedules', 'Schedules'],
  ['/projects/mill/instance-templates', 'Templates'],
  ['/projects/mill/deleted', 'Recently Deleted'],
  ['/projects/mill/affinity', 'Affinity Groups'],
  ['/projects/mill/metrics', 'Metrics'],
  ['/projects/mill/dashboards', 'Dashboards'],
  ['/projects/mill/access', 'Project Access'],
  ['/projects/mill/service-accounts', 'Service Accounts'],
  ['/projects/mill/instances/wheel/storage', 'wheel'],
  ['/projects/mill/instances/wheel/networking', 'wheel'],
  ['/projects/mill/instances/wheel/connect', 'wheel'],
  ['/projects/mill/instances/wheel/settings', 'wheel'],
  ['/system/issues', 'Issues'],
  ['/system/silos', 'Silos'],
  ['/system/metrics', 'Metrics'],
  ['/system/dashboards', 'Dashboards'],
  ['/system/inventory/sleds', 'Inventory'],
  ['/system/inventory/disks', 'Inventory'],
  ['/system/networking/ip-pools', 'IP Pools'],
  ['/system/networking/subnet-pools', 'Subnet Pools'],
  ['/system/alerts', 'Alerts'],
  ['/system/alert-rules', 'Alert Rules'],
  ['/system/image-catalog', 'Image Catalog'],
  ['/system/support-bundles', 'Support Bundles'],
  ['/system/access', 'Fleet Access'],
  ['/system/audit-log', 'Audit log of the fleet'],
]

const scene: Scene = {
  fill: ({ seed, project }) => seed.instance(project.name, 'wheel', { start: true }),
}
test.use({ scene, ownContext: true })

/** Records shifts of the layout, with what moved. */
const record = (page: Page) =>
  page.addInitScript(() => {
    type Shift = PerformanceEntry & {
      value: number
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const shifts: string[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement
          const name = element?.outerHTML.slice(0, 100) ?? 'nothing'
          const at = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round)
          return `${name}: ${at(previousRect)} to ${at(currentRect)}`
        })
        shifts.push(`${entry.value.toFixed(4)} ${moved.join(' | ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

for (const [name, pages, tag] of [
  ['a page of each sort', few, []],
  ['all pages', others, ['@long']],
] as const) {
  test(`nothing moves while ${name} loads`, { tag: [...tag] }, async ({ page }) => {
    await record(page)
    for (const [path, title] of pages) {
      await test.step(path, async () => {
        // Ages in the page change by themselves: "9 s" becomes "10 s", which is wider.
        await page.clock.setFixedTime(Date.now())
        await page.goto(path)
        await expect.soft(heading(page, title), path).toBeVisible()
        await expect(page.locator('[aria-busy=true], .animate-pulse')).toHaveCount(0)
        const shifts = await page.evaluate(() => {
          // Everything that the page draws when it is idle.
          return new Promise<string[]>((resolve) =>
            requestIdleCallback(() =>
              requestAnimationFrame(() =>
                resolve((globalThis as unknown as { shifts: string[] }).shifts),
              ),
            ),
          )
        })
        expect.soft(shifts, path).toEqual([])
      })
    }
  })
}
