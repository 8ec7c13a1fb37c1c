import { expectAccessible } from '../../support/accessibility.ts'
import { databaseOf, storeInstances } from '../../support/many.ts'
import { expect, test } from '../../support/test.ts'
import { heading } from '../../support/ui.ts'

test.use({ hostConfig: { bootMs: 0 } })

test('the rack shows each machine, and leads to it by mouse, keyboard and list', async ({
  page,
  host,
  project,
  seed,
}) => {
  const sled = await databaseOf(host)
    .selectFrom('sled')
    .select(['id', 'name'])
    .orderBy('slot')
    .executeTakeFirstOrThrow()
  await storeInstances(host, project.id, 2, (index) => ({
    name: ['wheel', 'stones'][index]!,
    run_state: 'running',
    sled_id: sled.id,
    time_created: `2026-01-0${index + 1}T00:00:00.000Z`,
  }))
  await page.goto('/system/overview')
  const rack = page.getByRole('listbox', { name: 'The rack, live' })
  const light = rack.getByRole('option')
  await rack.focus()
  await expect(light).toHaveAccessibleName(`${sled.name}, in service, Sled`)
  await page.keyboard.press('ArrowRight')
  await expect(light).toHaveAccessibleName(`wheel, running, mill on ${sled.name}`)
  await page.keyboard.press('ArrowRight')
  await expect(light).toHaveAccessibleName(`stones, running, mill on ${sled.name}`)
  await page.keyboard.press('ArrowDown')
  await expect(light).not.toHaveAccessibleName(/wheel|stones/)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/projects/mill/instances/wheel/storage')

  await page.goBack()
  await page.getByRole('button', { name: 'Show as list' }).click()
  const list = page.getByRole('list', { name: 'The rack, live' })
  await expect(list.getByText(sled.name, { exact: true })).toBeVisible()
  await expect(list.getByRole('link', { name: 'stones' })).toHaveAttribute(
    'href',
    '/projects/mill/instances/stones/storage',
  )
  await expectAccessible(page)
  await list.getByRole('link', { name: 'Open the sled' }).first().click()
  const own = page.getByRole('listbox', { name: 'Lights of the sled' })
  await own.focus()
  await page.keyboard.press('ArrowRight')
  await expect(own.getByRole('option')).toHaveAccessibleName(/^wheel, running/)
  await expectAccessible(page)

  // The share of the silo has stopped instances as well, and follows what happens.
  await page.goto('/overview')
  const share = page.getByRole('region', { name: 'The silo’s share, live' })
  await expect(share.getByRole('listitem').filter({ hasText: '2 running' })).toBeVisible()
  await seed.instance(project.name, 'sieve')
  await expect(share.getByRole('listitem').filter({ hasText: '1 stopped' })).toBeVisible()
  const picture = share.getByRole('listbox')
  await picture.focus()
  await page.keyboard.press('End')
  await expect(picture.getByRole('option')).toHaveAccessibleName('sieve, stopped, mill')
  // A click goes to the light under the pointer.
  const marked = await picture.locator('[data-light]').getAttribute('data-light')
  const [x = 0, y = 0] = marked!.split(' ').map(Number)
  await picture.click({ position: { x, y } })
  await expect(heading(page, 'sieve')).toBeVisible()
})
