/** Answers that are not what the contract says, as control planes of others may send them. */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { intercept } from '../../support/faults.ts'
import { expect, test } from '../../support/test.ts'

const SENTENCE = /The server has answered with something that the console does not understand/

/** Changes the answers to a path. @returns the id of the last request, and what ends it */
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
  test(`${name} is a sentence, the request and the details`, async ({
    page,
    project,
    consoleErrors,
  }) => {
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
    // The way out is another try.
    mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(alert).toHaveCount(0)
  })
}
