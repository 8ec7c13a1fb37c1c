/** Pictures of every list: full, empty, loading and failing. */
import type { Page } from '@playwright/test'
import { snapshotConsistencies } from '@steading/api/rules'
import { diskRow } from '../../../packages/control-plane/test/support/many.ts'
import { columnsButton, search } from '../../support/lists.ts'
import { bulkBar } from '../../support/jobs.ts'
import {
  databaseOf,
  floatingIpRow,
  groupRow,
  imageRow,
  snapshotRow,
  sshKeyRow,
  store,
  storeInstances,
} from '../../support/many.ts'
import { takePictures } from '../../support/pictures.ts'
import { missing } from '../../support/faults.ts'
import { ok } from '../../support/seed.ts'
import { expect, type Scene, test } from '../../support/test.ts'
import { heading } from '../../support/ui.ts'

const GiB = 2 ** 30
const LONG = 'a-name-that-is-as-long-as-a-name-may-be-which-is-63-characters0'
const PROSE =
  'Holds what the millers of the valley bring in autumn, until it is ground, weighed and sold.'
const names = [
  'api-gateway-1',
  'api-gateway-2',
  'batch-worker-10',
  LONG,
  'billing',
  'build-runner-3',
  'cache',
  'database-primary',
  'database-replica-eu-west',
  'dns',
]
const nameOf = (index: number) =>
  index < names.length ? names[index]! : `worker-${String(index).padStart(3, '0')}`
const some = (count: number) => Array.from({ length: count }, (_, index) => index)
const day = (index: number) =>
  new Date(Date.UTC(2026, index % 11, 1 + (index % 27), 9, index)).toISOString()
const states = [
  'running',
  'running',
  'stopped',
  'running',
  'failed',
  'starting',
  'stopping',
  'repairing',
] as const

const lists: Record<string, { path: string; title: string; calls: RegExp }> = {
  projects: { path: '/projects', title: 'Projects', calls: /\/v1\/projects\?/ },
  instances: { path: '/projects/mill/instances', title: 'Instances', calls: /\/v1\/instances\?/ },
  disks: { path: '/projects/mill/disks', title: 'Disks', calls: /\/v1\/disks\?/ },
  snapshots: { path: '/projects/mill/snapshots', title: 'Snapshots', calls: /\/v1\/snapshots\?/ },
  images: { path: '/projects/mill/images', title: 'Project Images', calls: /\/v1\/images\?/ },
  'silo images': { path: '/images', title: 'Silo Images', calls: /\/v1\/images\?/ },
  'floating IPs': {
    path: '/projects/mill/floating-ips',
    title: 'Floating IPs',
    calls: /\/v1\/floating-ips\?/,
  },
  'affinity groups': {
    path: '/projects/mill/affinity',
    title: 'Affinity Groups',
    calls: /\/v1\/anti-affinity-groups\?/,
  },
  'SSH keys': { path: '/settings/ssh-keys', title: 'SSH Keys', calls: /\/ssh-keys\?/ },
}

const full: Scene = {
  async fill({ host, project: { id }, seed, api }) {
    const db = databaseOf(host)
    const silo = (await db.selectFrom('silo').select('id').executeTakeFirstOrThrow()).id
    const user = (
      await db
        .selectFrom('silo_user')
        .select('id')
        .where('external_id', '=', 'admin')
        .executeTakeFirstOrThrow()
    ).id
    const pool = (await db.selectFrom('ip_pool').select('id').executeTakeFirstOrThrow()).id
    for (const each of ['forge', 'dairy', 'granary', LONG.slice(0, 60)])
      await seed.project(each, PROSE)
    await storeInstances(host, id, 60, (index) => ({
      name: nameOf(index),
      description: index % 3 ? '' : PROSE,
      run_state: states[index % states.length]!,
      ncpus: 2 ** (index % 6),
      memory: 2 ** (index % 8) * GiB,
      time_created: day(index),
      time_run_state_updated: day(index * 7),
    }))
    const instance = (
      await db
        .selectFrom('instance')
        .select('id')
        .where('name', '=', LONG)
        .executeTakeFirstOrThrow()
    ).id
    await store(
      host,
      'disk',
      some(24).map((index) =>
        diskRow(id, nameOf(index), {
          size: (1 + index * 37) * GiB,
          description: index % 4 ? '' : PROSE,
          read_only: index === 1 ? 1 : 0,
          disk_type: index % 5 ? 'distributed' : 'local',
          state: index % 3 === 1 ? 'attached' : index === 5 ? 'faulted' : 'detached',
          instance_id: index % 3 === 1 ? instance : null,
          time_created: day(index),
        }),
      ),
    )
    const disk = (
      await db.selectFrom('disk').select('id').where('name', '=', LONG).executeTakeFirstOrThrow()
    ).id
    await store(
      host,
      'snapshot',
      some(24).map((index) =>
        snapshotRow(id, nameOf(index), {
          ...(index % 5 && { disk_id: disk }),
          description: index % 3 ? '' : PROSE,
          size: (1 + index * 11) * GiB,
          state: index === 2 ? 'faulted' : index === 4 ? 'creating' : 'ready',
          consistency: index === 4 ? null : snapshotConsistencies[index % 3]!,
          time_created: day(index),
        }),
      ),
    )
    for (const owner of [id, null]) {
      await store(
        host,
        'image',
        some(12).map((index) =>
          imageRow(silo, owner, nameOf(index), {
            description: index % 2 ? '' : PROSE,
            os: index % 2 ? 'debian' : 'a-very-special-distribution',
            version: index % 2 ? '13' : '2026.11-rc.3+build.1234',
            size: (1 + index) * GiB,
            time_created: day(index),
          }),
        ),
      )
    }
    await store(
      host,
      'external_ip',
      some(20).map((index) =>
        floatingIpRow(id, pool, 20 + index, nameOf(index), {
          description: index % 3 ? '' : PROSE,
          instance_id: index % 4 ? null : instance,
        }),
      ),
    )
    await store(
      host,
      'affinity_group',
      some(14).map((index) =>
        groupRow(id, index % 3 ? 'anti_affinity' : 'affinity', nameOf(index), {
          description: index % 3 ? '' : PROSE,
          policy: index % 2 ? 'fail' : 'allow',
          time_created: day(index),
        }),
      ),
    )
    await store(
      host,
      'ssh_key',
      some(8).map((index) =>
        sshKeyRow(user, nameOf(index), { description: index % 2 ? '' : PROSE }),
      ),
    )
    for (const view of ['Failed ones', 'Large machines by memory', 'Without a description']) {
      const body = { name: view, list: 'instance', query: { search: 'worker' } }
      await ok(api.viewCreate({ body: body as never }))
    }
  },
}

const empty: Scene = { fill: () => Promise.resolve() }

const open = async (page: Page, { path, title }: { path: string; title: string }, query = '') => {
  await page.goto(path + query)
  await expect(heading(page, title)).toBeVisible()
}

// Errors are part of the pictures.
test.beforeEach(({ consoleErrors }) => {
  consoleErrors.expect(/./)
})

test.describe('full', () => {
  test.use({ scene: full })

  for (const [name, list] of Object.entries(lists)) {
    test(name, async ({ page }) => {
      await open(page, list)
      await expect(page.getByRole('row').nth(2)).toBeVisible()
      await takePictures(page, `full ${name}`)
    })
  }

  test('instances in use', async ({ page }) => {
    const list = lists.instances!
    await open(page, list, '?sort=memory_descending&q=worker')
    await expect(page.getByRole('row').nth(3)).toBeVisible()
    await takePictures(page, 'instances found')
    await search(page).fill('nothing has this')
    await expect(page.getByRole('heading', { name: 'No instances match' })).toBeVisible()
    await takePictures(page, 'instances not found')
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, list)
    for (const index of [1, 2]) await page.getByRole('row').nth(index).getByRole('checkbox').check()
    await page.getByRole('checkbox', { name: `Select ${LONG}` }).check()
    await expect(bulkBar(page)).toBeVisible()
    await takePictures(page, 'instances selected')
    await page.setViewportSize({ width: 1440, height: 900 })
    await columnsButton(page).click()
    await expect(page.getByRole('menuitemcheckbox').first()).toBeVisible()
    await takePictures(page, 'columns menu')
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, list)
    await page.getByRole('search').getByRole('button', { name: 'State' }).click()
    await expect(page.getByRole('menuitemcheckbox').first()).toBeVisible()
    await takePictures(page, 'filter menu')
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, list, '?state=failed,running&sort=time_created_descending')
    await expect(page.getByRole('row').nth(3)).toBeVisible()
    await takePictures(page, 'instances filtered')
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, list)
    await page.getByRole('button', { name: 'next', exact: true }).click()
    await expect(page.getByText('51–60 of 60')).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, 500))
    await takePictures(page, 'instances page two')
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, list)
    await page.getByRole('button', { name: /^Views/ }).click()
    await expect(page.getByRole('menuitemradio').first()).toBeVisible()
    await takePictures(page, 'views')
  })

  test('narrow frames', async ({ page }) => {
    await open(page, lists.instances!)
    await page.keyboard.press('[')
    await takePictures(page, 'narrow sidebar')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await takePictures(page, 'drawer')
  })
})

test.describe('empty', () => {
  test.use({ scene: empty })

  for (const [name, list] of Object.entries(lists)) {
    test(name, async ({ page }) => {
      await open(page, list)
      await expect(
        page.getByRole('heading', { level: 2 }).or(page.getByRole('row').nth(1)).first(),
      ).toBeVisible()
      await takePictures(page, `empty ${name}`)
    })
  }
})

test.describe('failing', () => {
  test.use({ scene: full })

  for (const [name, list] of Object.entries(lists)) {
    test(`${name}: loading and failing`, async ({ page }) => {
      await page.goto(list.path.startsWith('/settings') ? '/settings/profile' : '/jobs')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const gate = Promise.withResolvers<void>()
      let held = true
      await page.route(list.calls, async (route) => {
        if (held) {
          await gate.promise
          await route.abort().catch(() => {})
          return
        }
        await route.fulfill({
          status: 500,
          json: {
            message: 'It has come loose',
            request_id: 'e4b4c9bb-9e7c-4a6c-8c1d-4ad2b8e0a001',
          },
        })
      })
      await page.goto(list.path, { waitUntil: 'commit' })
      await takePictures(page, `loading ${name}`)
      held = false
      gate.resolve()
      await page.goto(list.path)
      await expect(missing(page)).toBeVisible()
      await takePictures(page, `failing ${name}`)
    })
  }
})
