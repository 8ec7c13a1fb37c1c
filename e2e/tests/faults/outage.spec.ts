import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { liveSign, lostNotice, missing, sidebarLink } from '../../support/faults.ts'
import { test } from '../../support/killable.ts'
import { expect } from '../../support/test.ts'
import { expectDisabled, heading, openRowActions, row } from '../../support/ui.ts'

test('pages keep loaded data during an outage of the server, and recover after it', async ({
  process,
  console: page,
  mill,
}) => {
  await mill.disk('mill', 'sacks')
  await mill.instance('mill', 'wheel')
  await page.goto('/projects/mill/instances')
  await expect(liveSign(page)).toBeVisible()

  await process.kill()
  await expect(lostNotice(page)).toContainText(/The page is (as of|from between) \d+:\d\d/)
  const refresh = page.getByRole('button', { name: 'Refresh data' })
  await expectDisabled(refresh, 'There is no connection to the server')
  await expect(liveSign(page)).toBeHidden()
  await sidebarLink(page, 'Disks').click()
  await expect(page).toHaveURL('/projects/mill/disks')
  await expect(missing(page)).toContainText('No connection')
  await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
  await expectAccessible(page)
  await sidebarLink(page, 'Instances').click()
  await expect(heading(page, 'Instances')).toBeVisible()
  await expect(row(page, 'wheel')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await sidebarLink(page, 'Disks').click()
  await expect(missing(page)).toContainText('No connection')

  await process.restart()
  await expect(row(page, 'sacks')).toBeVisible()
  await expect(lostNotice(page)).toBeHidden()
  await expect(missing(page)).toBeHidden()
  await expect(liveSign(page)).toBeVisible()
  await mill.disk('mill', 'flour')
  await expect(row(page, 'flour')).toBeVisible()
})

test('controls that need the server are disabled during an outage, with the reason @long', async ({
  process,
  console: page,
  mill,
}) => {
  const why = 'There is no connection to the server'
  await mill.instance('mill', 'wheel')
  await page.goto('/projects/mill/instances')
  await expect(liveSign(page)).toBeVisible()
  const menu = await openRowActions(page, 'wheel')
  const start = menu.getByRole('menuitem', { name: 'Start' })
  // The code of the menu comes from the server, too.
  await expect(start).toBeVisible()
  await process.kill()
  await expect(lostNotice(page)).toBeVisible()
  await expect(start).toHaveAttribute('aria-disabled', 'true')
  await expect(start).toHaveAttribute('aria-description', why)
  // A more specific reason takes precedence, and local controls still work.
  await expect(menu.getByRole('menuitem', { name: 'Stop' })).not.toHaveAttribute(
    'aria-description',
    why,
  )
  await expect(menu.getByRole('menuitem', { name: 'Copy ID' })).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Escape')
  await expectDisabled(page.getByRole('button', { name: 'Refresh data' }), why)

  await process.restart()
  await expect(lostNotice(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Refresh data' })).not.toHaveAttribute(
    'aria-disabled',
  )
})
