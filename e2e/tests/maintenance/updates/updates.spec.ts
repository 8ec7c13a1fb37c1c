import { createPublisher } from '../../../support/updates.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, properties, row, rowAction, toasts } from '../../../support/ui.ts'

// Transitions are instant.
test.use({ hostConfig: { bootMs: 0 } })

test('an operator trusts a root, uploads a release and updates the rack to it @long', async ({
  page,
  api,
}) => {
  const { root, release } = await createPublisher()
  await page.goto('/system/update')
  await expect(page.getByRole('heading', { name: 'No trust roots' })).toBeVisible()
  await page.getByRole('link', { name: 'Add trust root' }).click()
  const trust = dialog(page, 'Add trust root')
  await trust.getByRole('textbox', { name: 'Root document' }).fill('{')
  await trust.getByRole('button', { name: 'Add trust root' }).click()
  await expect(trust.getByText('This is not valid JSON')).toBeVisible()
  await trust.getByRole('textbox', { name: 'Root document' }).fill(JSON.stringify(root))
  await trust.getByRole('button', { name: 'Add trust root' }).click()
  await expect(toasts(page)).toContainText('Trust root added')

  for (const version of ['1.0.0', '1.1.0']) {
    await page.getByRole('link', { name: 'Upload release' }).click()
    const upload = dialog(page, 'Upload release')
    const name = `steading-${version}.zip`
    const buffer = Buffer.from(await release(version))
    await upload
      .getByLabel('Repository')
      .setInputFiles({ name, mimeType: 'application/zip', buffer })
    await upload.getByRole('button', { name: 'Upload release' }).click()
    await expect(toasts(page)).toContainText(`Release ${version} uploaded`)
  }
  const releases = page.getByRole('list', { name: 'Releases' })
  await expect(releases.getByRole('listitem')).toHaveText([/1\.1\.0/, /1\.0\.0/])

  const setTarget = async (version: string) => {
    await page.getByRole('button', { name: `${version} actions` }).click()
    await page.getByRole('menuitem', { name: 'Set as target release' }).click()
  }
  await setTarget('1.1.0')
  await expect(dialog(page, 'Set target release')).toContainText(
    '4 sleds and 2 switches will be updated, one after the other. No instance runs on these sleds.',
  )
  await confirm(page, 'Set target release')
  await expect(toasts(page)).toContainText('Target release updated')
  await expect(page.getByText('100%')).toBeVisible()
  await expect(properties(page)).toContainText(/Running ?1\.1\.0 ?Target release/)
  for (const name of ['BRM-0001', 'BRM-SW-0002']) {
    await expect(row(page, name)).toContainText('Updated')
  }
  expect((await ok(api.systemUpdateStatus({}))).targetRelease?.version).toBe('1.1.0')
  await page.getByRole('button', { name: '1.0.0 actions' }).click()
  const item = page.getByRole('menuitem', { name: 'Set as target release' })
  await expect(item).toBeDisabled()
  await page.keyboard.press('Escape')

  await rowAction(page, 'BRM-0003', 'Simulate a recovery')
  await confirm(page, 'Simulate a recovery')
  await expect(page.getByText('The update is waiting')).toBeVisible()
  await expect(page.getByText('Sled BRM-0003 was recovered by support.')).toBeVisible()
})
