import { expect, test } from '../support/test.ts'
import { confirm, dialog, row, rowAction, summary } from '../support/ui.ts'
import { ok } from '../support/seed.ts'
import { holdStarting, watchStates } from '../support/states.ts'

test.describe('by push', () => {
  test('a change by another user appears on the page of the thing @long', async ({
    page,
    project,
    seed,
    api,
  }) => {
    await page.goto(`/projects/${project.name}/disks`)
    await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await seed.disk(project.name, 'sacks')
    await expect(row(page, 'sacks')).toBeVisible()
    await ok(api.diskDelete({ path: { disk: 'sacks' }, query: { project: 'mill' } }))
    await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
  })

  test('a new row fades in, and the rows below it slide @long', async ({
    browser,
    page,
    project,
    seed,
  }) => {
    await seed.disk(project.name, 'sacks')
    const moving = await browser.newPage({
      reducedMotion: 'no-preference',
      storageState: await page.context().storageState(),
    })
    /** First cells of the rows, with the animated properties. */
    const motion: string[] = []
    await moving.exposeFunction('note', (text: string) => motion.push(text))
    await moving.addInitScript(() => {
      const { animate } = Element.prototype
      Element.prototype.animate = function (frames, options) {
        const name = this.querySelector('.lead-cell')?.textContent
        void (window as unknown as { note: (text: string) => void }).note(
          `${name} ${Object.keys(frames!).join()}`,
        )
        return animate.call(this, frames, options)
      }
    })
    await moving.goto(`/projects/${project.name}/disks`)
    await expect(row(moving, 'sacks')).toBeVisible()
    await expect(moving.getByText('Live', { exact: true })).toBeVisible()
    await seed.disk(project.name, 'flour')
    await expect(row(moving, 'flour')).toBeVisible()
    await expect.poll(() => motion.toSorted()).toEqual(['flour opacity', 'sacks transform'])
    await moving.emulateMedia({ reducedMotion: 'reduce' })
    await seed.disk(project.name, 'bran')
    await expect(row(moving, 'bran')).toBeVisible()
    expect(motion).toHaveLength(2)
    await moving.close()
  })

  test('changes while the page is loading are not missed', async ({ page, project, seed }) => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/x/v1/events', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`/projects/${project.name}/disks`)
    await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
    await seed.disk(project.name, 'sacks')
    answer()
    await expect(row(page, 'sacks')).toBeVisible()
  })

  test('a half-filled form is not disturbed by live updates @long', async ({
    page,
    project,
    seed,
  }) => {
    await page.goto('/projects-new')
    const name = dialog(page, 'Create project').getByRole('textbox', { name: 'Name' })
    await name.fill('ha')
    const refetched = page.waitForResponse(/\/v1\/projects\?/)
    await seed.project('other')
    await refetched
    await expect(page.getByText('other', { exact: true })).toBeAttached()
    await expect(name).toBeFocused()
    await expect(name).toHaveValue('ha')
    expect(project.name).not.toBe('ha')
  })

  test('there is no polling', async ({ page, project, seed }) => {
    await seed.instance(project.name, 'wheel')
    await page.goto('/projects/mill/instances')
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await rowAction(page, 'wheel', 'Start')
    await confirm(page, 'Start instance')
    await expect(row(page, 'wheel').getByText('running')).toBeVisible()
    // The initial read, and one per change: far fewer than by polling.
    expect(asked.filter((url) => url.includes('/v1/instances?')).length).toBeLessThanOrEqual(4)
  })
})

test.describe('without the extensions', () => {
  test.use({ hostConfig: { extensions: false } })

  test.beforeEach(({ consoleErrors }) => {
    // Asking for capabilities gets a 404.
    consoleErrors.expect(/404/)
  })

  test('states are polled', async ({ page, project, seed, host }) => {
    await seed.instance(project.name, 'wheel')
    await page.goto('/projects/mill/instances')
    await expect(row(page, 'wheel')).toBeVisible()
    const states = await watchStates(page, 'wheel')
    const letGo = holdStarting(host)
    await rowAction(page, 'wheel', 'Start')
    await confirm(page, 'Start instance')
    await expect(row(page, 'wheel').getByText('starting')).toBeVisible()
    letGo()
    await expect(row(page, 'wheel').getByText('running')).toBeVisible()
    expect(await states()).toEqual(['stopped', 'starting', 'running'])
    await expect(page.getByText('Live', { exact: true })).toBeHidden()
    await expect(page.getByText('Reconnecting', { exact: true })).toBeHidden()
  })

  test('an open menu survives polling @long', async ({ page, project, seed, api, host }) => {
    await seed.instance(project.name, 'wheel')
    const letGo = holdStarting(host)
    await page.goto('/projects/mill/instances')
    await ok(api.instanceStart({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
    await page.getByRole('button', { name: 'Refresh data' }).click()
    await expect(row(page, 'wheel').getByText('starting')).toBeVisible()
    await row(page, 'wheel').getByRole('button', { name: 'Row actions' }).press('Enter')
    const menu = page.getByRole('menu', { name: 'Row actions' })
    await expect(menu.getByRole('menuitem', { name: 'Copy ID' })).toBeFocused()
    letGo()
    await expect(row(page, 'wheel').getByText('running')).toBeVisible()
    await expect(menu.getByRole('menuitem', { name: 'Copy ID' })).toBeFocused()
    await expect(menu.getByRole('menuitem', { name: 'Reboot' })).not.toHaveAttribute(
      'aria-disabled',
      'true',
    )
  })

  test('the page of an instance is polled @long', async ({ page, project, seed, host }) => {
    await seed.instance(project.name, 'wheel')
    const letGo = holdStarting(host)
    await page.goto('/projects/mill/instances/wheel/storage')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await confirm(page, 'Start instance')
    await expect(summary(page).getByText('starting')).toBeVisible()
    letGo()
    await expect(summary(page).getByText('running')).toBeVisible()
  })
})
