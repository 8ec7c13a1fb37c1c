/** Search, filters and sorting of all lists except instances. */
import type { Page } from '@playwright/test'
import type { Project } from '@steading/api/client'
import { expectAccessible } from '../../support/accessibility.ts'
import type { Host } from '../../support/host.ts'
import { chooseItem, columnsButton, count, header, search, sortBy } from '../../support/lists.ts'
import {
  databaseOf,
  floatingIpRow,
  groupRow,
  imageRow,
  snapshotRow,
  sshKeyRow,
  store,
} from '../../support/many.ts'
import { addPool } from '../../support/networks.ts'
import type { Seed } from '../../support/seed.ts'
import { expect, type Scene, test, visit } from '../../support/test.ts'
import { heading } from '../../support/ui.ts'

interface ListUnderTest {
  path: string
  title: string
  noun: { one: string; many: string }
  /** Puts box-a, box-b and box-c into it, and into no other list. */
  fill: (host: Host, project: Project, seed: Seed) => Promise<void>
  /** Number of existing items. */
  others?: number
  /** A search text that only one of them matches. */
  search: { text: string; finds: string }
  filters: { filter: string; word: string; address: string; finds: string[] }[]
  /** Sortable headers, with the API's name, and the resulting order where values differ. */
  sorts: Record<string, [mode: string, order?: string]>
  unsorted: string[]
  hidden: { header: string; columns: string }
}

const MiB = 2 ** 20
const names = ['box-a', 'box-b', 'box-c']
const [t1, t2, t3] = [1, 2, 3].map((day) => `2026-01-0${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
]

const image = (silo: string, project: string | null) => [
  imageRow(silo, project, 'box-a', { os: 'plan9', size: 3 * MiB, version: '4', time_created: t2 }),
  imageRow(silo, project, 'box-b', { os: 'debian', size: MiB, version: '13', time_created: t3 }),
  imageRow(silo, project, 'box-c', {
    os: 'freebsd',
    size: 2 * MiB,
    version: '15',
    time_created: t1,
    description: 'Grinds',
  }),
]
const imageSorts: ListUnderTest['sorts'] = {
  OS: ['os', 'bca'],
  version: ['version', 'bca'],
  size: ['size', 'bca'],
  created: ['time_created', 'cab'],
  description: ['description'],
}
const imageList = {
  noun: { one: 'image', many: 'images' },
  search: { text: 'PLAN9', finds: 'box-a' },
  filters: [],
  sorts: imageSorts,
  unsorted: [],
  hidden: { header: 'OS', columns: 'name,description,version,size,created' },
}

async function siloId(host: Host): Promise<string> {
  return (await databaseOf(host).selectFrom('silo').select('id').executeTakeFirstOrThrow()).id
}

const lists: Record<string, ListUnderTest> = {
  snapshots: {
    path: '/projects/mill/snapshots',
    title: 'Snapshots',
    noun: { one: 'snapshot', many: 'snapshots' },
    fill: async (host, { id, name }, seed) => {
      const disk_id = (await seed.disk(name, 'sacks')).id
      await store(host, 'snapshot', [
        snapshotRow(id, 'box-a', {
          disk_id,
          size: 3 * MiB,
          time_created: t2,
          consistency: 'crash_consistent',
        }),
        snapshotRow(id, 'box-b', { disk_id, size: MiB, state: 'faulted', time_created: t3 }),
        snapshotRow(id, 'box-c', {
          disk_id,
          size: 2 * MiB,
          time_created: t1,
          description: 'Before the flood',
        }),
      ])
    },
    search: { text: 'FLOOD', finds: 'box-c' },
    filters: [
      { filter: 'State', word: 'Faulted', address: 'state=faulted', finds: ['box-b'] },
      {
        filter: 'Consistency',
        word: 'Crash consistent',
        address: 'consistency=crash_consistent',
        finds: ['box-a'],
      },
    ],
    sorts: {
      size: ['size', 'bca'],
      created: ['time_created', 'cab'],
      description: ['description'],
    },
    // The window has no room for the consistency.
    unsorted: ['disk'],
    hidden: { header: 'disk', columns: 'name,description,state,size,created' },
  },
  'images of a project': {
    ...imageList,
    path: '/projects/mill/images',
    title: 'Project Images',
    fill: async (host, { id }) => store(host, 'image', image(await siloId(host), id)),
  },
  'images of the silo': {
    ...imageList,
    path: '/images',
    title: 'Silo Images',
    // Initial images of a control plane.
    others: 2,
    fill: async (host) => store(host, 'image', image(await siloId(host), null)),
  },
  'floating IPs': {
    path: '/projects/mill/floating-ips',
    title: 'Floating IPs',
    noun: { one: 'floating IP', many: 'floating IPs' },
    fill: async (host, { id, name: project }, seed) => {
      const instance_id = (await seed.instance(project, 'wheel')).id
      await addPool(host, 'second')
      const pools = await databaseOf(host).selectFrom('ip_pool').select(['id', 'name']).execute()
      const pool = (name: string) => pools.find((each) => each.name === name)!.id
      await store(host, 'external_ip', [
        floatingIpRow(id, pool('default'), 300, 'box-a', { time_created: t2 }),
        floatingIpRow(id, pool('second'), 10, 'box-b', { time_created: t3 }),
        floatingIpRow(id, pool('default'), 9, 'box-c', {
          time_created: t1,
          description: 'Front door',
          instance_id,
        }),
      ])
    },
    search: { text: '198.51.1.', finds: 'box-a' },
    filters: [
      { filter: 'Attached', word: 'No', address: 'attached=no', finds: ['box-a', 'box-b'] },
      { filter: 'Pool', word: 'second', address: 'pool=second', finds: ['box-b'] },
    ],
    sorts: { 'IP address': ['ip', 'cba'], description: ['description'] },
    unsorted: ['IP pool', 'Instance'],
    hidden: { header: 'IP pool', columns: 'name,description,ip-address,instance' },
  },
  'affinity groups': {
    path: '/projects/mill/affinity',
    title: 'Affinity Groups',
    noun: { one: 'affinity group', many: 'affinity groups' },
    fill: (host, { id }) =>
      store(host, 'affinity_group', [
        groupRow(id, 'anti_affinity', 'box-a', { time_created: t2 }),
        groupRow(id, 'affinity', 'box-b', { time_created: t3, policy: 'fail' }),
        groupRow(id, 'anti_affinity', 'box-c', { time_created: t1, description: 'Apart' }),
      ]),
    search: { text: 'apart', finds: 'box-c' },
    filters: [
      { filter: 'Policy', word: 'Fail', address: 'policy=fail', finds: ['box-b'] },
      { filter: 'Type', word: 'Affinity', address: 'type=affinity', finds: ['box-b'] },
    ],
    sorts: { created: ['time_created', 'cab'] },
    unsorted: ['type', 'instances'],
    hidden: { header: 'type', columns: 'name,instances,policy,created' },
  },
  'SSH keys': {
    path: '/settings/ssh-keys',
    title: 'SSH Keys',
    noun: { one: 'SSH key', many: 'SSH keys' },
    fill: async (host) => {
      const user = await databaseOf(host)
        .selectFrom('silo_user')
        .select('id')
        .where('external_id', '=', 'admin')
        .executeTakeFirstOrThrow()
      await store(host, 'ssh_key', [
        sshKeyRow(user.id, 'box-a', { description: 'Of the tower' }),
        sshKeyRow(user.id, 'box-b', { description: 'At work' }),
        sshKeyRow(user.id, 'box-c', { description: 'In the bag' }),
      ])
    },
    search: { text: 'BAG', finds: 'box-c' },
    filters: [],
    sorts: { description: ['description', 'bca'] },
    unsorted: [],
    hidden: { header: 'description', columns: 'name' },
  },
}

/** Names in the order of the rows. */
const boxes = (page: Page) => page.getByRole('table').getByRole('cell', { name: /^box-.$/ })
const inOrder = (order: string) => [...order].map((letter) => `box-${letter}`)

const fill: Scene['fill'] = async ({ host, project, seed }) => {
  for (const list of Object.values(lists)) await list.fill(host, project, seed)
}
const scene: Scene = { fill }
const sceneWithoutLists: Scene = { fill, config: { extensions: false } }

visit.use({ scene })

/** The list that stands for the others in `npm test`. */
const standing = ['snapshots']

for (const [label, list] of Object.entries(lists)) {
  const { path, title, noun, filters, sorts, unsorted, hidden, others = 0 } = list
  const counted = (found?: number) => {
    const all = `${3 + others} ${noun.many}`
    return found === undefined ? all : `${found} of ${all}`
  }

  const tag = standing.includes(label) ? [] : ['@long']

  visit(`${label} are searched and filtered`, { tag }, async ({ tab }) => {
    const page = await tab.show(path)
    await expect(heading(page, title)).toBeVisible()
    await expect(boxes(page)).toHaveText(names)
    await expect(count(page)).toHaveText(counted())
    await page.keyboard.press('/')
    await page.keyboard.type(list.search.text)
    await expect(boxes(page)).toHaveText([list.search.finds])
    await expect(count(page)).toHaveText(counted(1))
    await expect(page).toHaveURL((url) => url.searchParams.get('q') === list.search.text)
    await expectAccessible(page)

    // After visiting another page, the list is as before.
    const address = page.url()
    await page.getByRole('link', { name: 'Projects' }).first().click()
    await expect(heading(page, 'Projects')).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(address)
    await expect(boxes(page)).toHaveText([list.search.finds])
    await expect(search(page, noun.many)).toHaveValue(list.search.text)

    await search(page, noun.many).fill('nothing has this')
    await expect(page.getByRole('heading', { name: `No ${noun.many} match` })).toBeVisible()
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await expect(boxes(page)).toHaveText(names)
    for (const { filter, word, address: said, finds } of filters) {
      await chooseItem(
        page,
        page.getByRole('search').getByRole('button', { name: filter, exact: true }),
        word,
      )
      await expect(boxes(page)).toHaveText(finds)
      await expect(page).toHaveURL(`${path}?${said}`)
      await expect(page.getByRole('button', { name: `${filter}: ${word}` })).toBeVisible()
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
      await expect(boxes(page)).toHaveText(names)
    }
  })

  visit(`${label} are sorted, and their columns chosen`, { tag }, async ({ tab }) => {
    const page = await tab.show(path)
    await expect(header(page, 'name')).toHaveAttribute('aria-sort', 'ascending')
    await sortBy(page, 'name')
    await expect(boxes(page)).toHaveText(names.toReversed())
    for (const [text, [mode, order]] of Object.entries(sorts)) {
      await sortBy(page, text)
      await expect(header(page, text)).toHaveAttribute('aria-sort', 'ascending')
      await expect(page).toHaveURL(`${path}?sort=${mode}_ascending`)
      if (order) {
        await expect(boxes(page)).toHaveText(inOrder(order))
        await sortBy(page, text)
        await expect(boxes(page)).toHaveText(inOrder(order).toReversed())
      }
    }
    for (const text of unsorted) {
      await expect(header(page, text)).toBeVisible()
      await expect(header(page, text).getByRole('button')).toHaveCount(0)
    }
    await chooseItem(
      page,
      columnsButton(page),
      hidden.header[0]!.toUpperCase() + hidden.header.slice(1),
    )
    await expect(header(page, hidden.header)).toBeHidden()
    const shown = (url: URL) => url.searchParams.get('columns') === hidden.columns
    await expect(page).toHaveURL(shown)
    await expectAccessible(page)

    // The address shows the same to another user.
    const context = await page
      .context()
      .browser()!
      .newContext({
        storageState: await page.context().storageState(),
      })
    const other = await context.newPage()
    await other.goto(page.url())
    await expect(boxes(other)).toHaveText(await boxes(page).allTextContents())
    await expect(header(other, hidden.header)).toBeHidden()
    await context.close()
  })

  test.describe('with a control plane without these lists', () => {
    visit.use({ scene: sceneWithoutLists })

    visit(`${label} are sorted by name`, { tag }, async ({ tab, consoleErrors }) => {
      // It has no capabilities either.
      consoleErrors.expect(/404/)
      const page = await tab.show(`${path}?q=box-a&sort=${Object.values(sorts)[0]![0]}_ascending`)
      await expect(boxes(page)).toHaveText(names)
      await expect(page.getByRole('searchbox')).toHaveCount(0)
      for (const { filter } of filters) {
        await expect(
          page.getByRole('search').getByRole('button', { name: filter, exact: true }),
        ).toHaveCount(0)
      }
      for (const text of Object.keys(sorts)) {
        await expect(header(page, text).getByRole('button')).toHaveCount(0)
      }
      await sortBy(page, 'name')
      await sortBy(page, 'name')
      await expect(boxes(page)).toHaveText(names.toReversed())
      await chooseItem(
        page,
        columnsButton(page),
        hidden.header[0]!.toUpperCase() + hidden.header.slice(1),
      )
      await expect(header(page, hidden.header)).toBeHidden()
    })
  })
}
