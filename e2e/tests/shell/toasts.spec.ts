import type { Locator, Page } from '@playwright/test'
import { diskRow } from '../../../packages/control-plane/test/support/many.ts'
import { store } from '../../support/many.ts'
import { expect, test } from '../../support/test.ts'
import { confirm, dialog, rowAction, toasts } from '../../support/ui.ts'

const toTheEnd = (page: Page) => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))

/** Expects an element on the screen, uncovered by toasts. */
async function expectBeside(page: Page, element: Locator, reach?: (page: Page) => Promise<void>) {
  await expect
    .poll(async () => {
      await reach?.(page)
      const [toast, other] = [await toasts(page).boundingBox(), await element.boundingBox()]
      if (!toast || !other) return 'not on the screen'
      const apart =
        toast.y + toast.height <= other.y ||
        other.y + other.height <= toast.y ||
        toast.x + toast.width <= other.x ||
        other.x + other.width <= toast.x
      return apart ? 'beside' : 'over it'
    })
    .toBe('beside')
}

for (const [name, viewport] of Object.entries({
  'on a desk': { width: 1280, height: 800 },
  'on a phone': { width: 390, height: 844 },
})) {
  test.describe(name, () => {
    test.use({ viewport })

    const tag = name === 'on a phone' ? [] : ['@long']
    test(
      'a toast covers neither the paging controls nor the actions @long',
      { tag },
      async ({ page, project, host }) => {
        await store(
          host,
          'disk',
          Array.from({ length: 60 }, (_, index) => diskRow(project.id, `disk-${index + 1}`)),
        )
        await page.goto(`/projects/${project.name}/disks`)
        await page.getByRole('checkbox', { name: 'Select disk-2', exact: true }).check()
        await rowAction(page, 'disk-1', 'Delete')
        await confirm(page, 'Delete disk')
        await expect(toasts(page)).toContainText('deleted')
        // It stays while the pointer is on it.
        await toasts(page).getByText('deleted').hover()
        await expectBeside(page, page.getByRole('navigation', { name: 'Pagination' }))

        // The end of the page makes space for the toasts and the bars.
        const last = page.getByRole('row').last()
        await expectBeside(page, last.getByRole('checkbox'), toTheEnd)
        await expectBeside(page, last.getByRole('button', { name: 'Row actions' }), toTheEnd)

        await expectBeside(page, page.getByRole('toolbar', { name: 'Bulk actions' }))

        await page.getByRole('link', { name: 'New disk' }).press('Enter')
        const form = dialog(page, 'Create disk')
        await expectBeside(page, form.getByRole('button', { name: 'Create disk' }))
        await expectBeside(page, form.getByRole('button', { name: 'Cancel' }))
      },
    )
  })
}

test.describe('with a clock of the test', () => {
  test.use({ ownContext: true })

  test('a toast waits for a user who is away, and then leaves after five seconds', async ({
    page,
    project,
  }) => {
    await page.clock.install()
    await page.goto(`/projects/${project.name}/disks-new`)
    const form = dialog(page, 'Create disk')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('sacks')
    await form.getByRole('button', { name: 'Create disk' }).click()
    await expect(toasts(page)).toContainText('Disk sacks created')
    await page.clock.runFor(60_000)
    await expect(toasts(page)).toContainText('Disk sacks created')
    await page.mouse.move(300, 300)
    await page.clock.runFor(5000)
    await expect(toasts(page)).toBeEmpty()
  })
})
