/** Answers that violate the contract, as other control planes may send them. */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { intercept } from '../../support/faults.ts'
import { expect, test } from '../../support/test.ts'

const SENTENCE = /The server has answered with something that the console does not understand/

/**
 * Modifies the answers to a path.
 * @returns the id of the last request, and a function that ends it
 */
async function breakAnswers(page: Page, path: string, change: (answer: never) => unknown) {
  let requestId = ''
  const mend = await intercept(page, new RegExp(`${path}(\\?|$)`), async (route) => {
    const response = await route.fetch()
    const { etag: _, ...headers } = response.headers()
    requestId = headers['x-request-id']!
    await route.fulfill({ response, headers, json: change((await response.json()) as never) })
  })
  return { requestId: () => requestId, mend }
}

const misfits = {
  'a list without items': {
    at: '/projects',
    path: '/x/v1/projects',
    change: ({ items }: { items: unknown[] }) => ({ projects: items }),
    details: 'GET /x/v1/projects\nitems: ',
  },
  'a time that is none': {
    at: '/projects',
    path: '/x/v1/projects',
    change: ({ items: [item] }: { items: object[] }) => ({
      items: [{ ...item, time_created: { seconds: 7 } }],
      total: 1,
    }),
    details: 'items[0].time_created: ',
  },
  'a list instead of a thing': {
    at: (project: string) => `/projects/${project}/edit`,
    path: (project: string) => `/v1/projects/${project}`,
    change: (project: object) => [project],
    details: 'the answer: ',
  },
}

for (const [name, { at, path, change, details }] of Object.entries(misfits)) {
  // The first one stands for the others in `npm test`.
  const tag = name === 'a list without items' ? [] : ['@long']
  test(
    `${name} is reported by a sentence, the request and the details`,
    { tag },
    async ({ page, project, consoleErrors }) => {
      consoleErrors.expect(/./)
      const of = (text: string | ((project: string) => string)) =>
        typeof text === 'string' ? text : text(project.name)
      const { requestId, mend } = await breakAnswers(page, of(path), change as never)
      await page.goto(of(at))
      const alert = page.getByRole('alert').filter({ hasText: SENTENCE })
      await expect(alert).toBeVisible()
      await expect(alert.getByText(requestId())).toBeVisible()
      const listing = alert.locator('pre')
      await expect(listing).toBeHidden()
      await alert.getByText('Details').click()
      await expect(listing).toContainText(details)
      await expectAccessible(page)
      // The user retries.
      mend()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(alert).toHaveCount(0)
    },
  )
}

test.describe('answers that a page can still show', () => {
  test.use({ hostConfig: { extensions: false } })

  const NOTICE = 'An answer of this control plane does not match the API.'
  const noticeIn = (page: Page) =>
    page.getByTestId('Toasts').locator('> div').filter({ hasText: NOTICE })
  /** A size as text is shown nevertheless. */
  const disksOf = ({ items }: { items: object[] }) => ({
    items: items.map((item) => ({ ...item, block_size: 'many' })),
  })

  test('are reported once, with the request and the details @long', async ({
    page,
    project,
    seed,
    consoleErrors,
  }) => {
    consoleErrors.expect(/API error|capabilities/)
    await seed.disk(project.name, 'grain')
    const { requestId } = await breakAnswers(page, '/v1/disks', disksOf as never)
    await page.goto(`/projects/${project.name}/disks`)
    await expect(page.getByRole('row', { name: /grain/ })).toBeVisible()
    const notice = noticeIn(page)
    await expect(notice).toContainText(`${NOTICE}Some values may be missing or wrong.`)
    await expect(notice.getByText(requestId())).toBeVisible()
    const listing = notice.locator('pre')
    await expect(listing).toBeHidden()
    await expectAccessible(page)
    await notice.getByText('Details').click()
    await expect(listing).toContainText('GET /v1/disks\nitems[0].block_size: ')
    await notice.getByRole('button', { name: 'Dismiss notification' }).click()

    // Another operation is reported, and the first one is not repeated.
    await breakAnswers(page, '/v1/snapshots', ((answer: object) => ({
      ...answer,
      next_page: 7,
    })) as never)
    await page.getByRole('link', { name: 'Snapshots' }).click()
    await expect(notice).toHaveCount(1)
    await notice.getByText('Details').click()
    await expect(listing).toContainText('GET /v1/snapshots')
    await expect(listing).not.toContainText('GET /v1/disks')
  })

  test('are left to the page that fails because of them @long', async ({
    page,
    project,
    consoleErrors,
  }) => {
    consoleErrors.expect(/./)
    await breakAnswers(page, '/v1/projects', (({ items }: { items: unknown }) => ({
      projects: items,
    })) as never)
    await page.goto('/projects')
    await expect(page.getByRole('alert').filter({ hasText: SENTENCE })).toBeVisible()
    // Another violation is reported after that one.
    await breakAnswers(page, '/v1/disks', (() => ({ items: [], next_page: 7 })) as never)
    await page.evaluate((to) => history.pushState(null, '', to), `/projects/${project.name}/disks`)
    await expect(noticeIn(page)).toContainText('GET /v1/disks')
    await expect(noticeIn(page)).not.toContainText('GET /v1/projects')
  })
})
