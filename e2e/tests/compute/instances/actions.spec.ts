import { expect, test } from '../../../support/test.ts'
import {
  confirm,
  dialog,
  expectDisabled,
  expectFieldError,
  holdToast,
  heading,
  openRowActions,
  row,
  rowAction,
  toasts,
  summary,
} from '../../../support/ui.ts'
import { GiB, ok } from '../../../support/seed.ts'
import { hold, watchStates } from '../../../support/states.ts'

const LIST = '/projects/mill/instances'
const PAGE = `${LIST}/wheel/storage`
const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }

test.describe('in the list', () => {
  test.beforeEach(async ({ page, project, seed }) => {
    await seed.instance(project.name, 'wheel')
    await page.goto(LIST)
  })

  test('start, reboot and stop', async ({ page, host }) => {
    await rowAction(page, 'wheel', 'Start')
    await expect(dialog(page, 'Start instance')).toContainText(
      'Are you sure you want to start wheel?',
    )
    await confirm(page, 'Start instance')
    await expect(toasts(page)).toContainText('Starting instance wheel')
    await expect(row(page, 'wheel').getByText('running')).toBeVisible()

    await rowAction(page, 'wheel', 'Reboot')
    await expect(dialog(page, 'Reboot instance')).toContainText(
      'Are you sure you want to reboot wheel?',
    )
    const states = await watchStates(page, 'wheel')
    const letGo = hold(host, 'reboot')
    await confirm(page, 'Reboot instance')
    await expect(toasts(page)).toContainText('Rebooting instance wheel')
    await expect(row(page, 'wheel').getByText('rebooting')).toBeVisible()
    letGo()
    await expect.poll(states).toEqual(['running', 'rebooting', 'running'])

    await rowAction(page, 'wheel', 'Stop')
    await expect(dialog(page, 'Stop instance')).toContainText(
      'Are you sure you want to stop wheel?',
    )
    await confirm(page, 'Stop instance')
    await expect(toasts(page)).toContainText('Stopping instance wheel')
    await expect(row(page, 'wheel').getByText('stopped')).toBeVisible()
  })

  test('resize @long', async ({ page, api }) => {
    await rowAction(page, 'wheel', 'Resize')
    const modal = dialog(page, 'Resize instance')
    await expect(modal).toContainText('Current (wheel): 2 vCPUs / 8 GiB')
    const submit = modal.getByRole('button', { name: 'Resize' })
    const cpus = modal.getByRole('spinbutton', { name: 'vCPUs' })
    await expect(submit).toHaveAttribute('aria-disabled', 'true')
    await cpus.fill('255')
    await expectFieldError(cpus, 'Can be at most 254')
    await expect(submit).toHaveAttribute('aria-disabled', 'true')
    await cpus.fill('4')
    await modal.getByRole('spinbutton', { name: 'Memory (GiB)' }).fill('16')
    await submit.click()
    await expect(modal).toBeHidden()
    await holdToast(page, 'Instance wheel resized')
    await expect(row(page, 'wheel').getByRole('cell').nth(3)).toHaveText('4 vCPUs')
    expect(await ok(api.instanceView(wheel))).toMatchObject({ ncpus: 4, memory: 16 * GiB })
    await toasts(page).getByRole('link', { name: 'View instance' }).click()
    await expect(page).toHaveURL(PAGE)
  })

  test('delete @long', async ({ page }) => {
    await rowAction(page, 'wheel', 'Delete')
    const question = dialog(page, 'Delete instance')
    await expect(question).toContainText('Are you sure you want to delete wheel?')
    await expect(question).toContainText('Any attached disks will be detached but not deleted.')
    await confirm(page, 'Delete instance')
    await expect(toasts(page)).toContainText('Deleting instance wheel')
    await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
  })

  test('unavailable actions show their reason @long', async ({ page, api, seed }) => {
    const menu = await openRowActions(page, 'wheel')
    const item = (name: string) => menu.getByRole('menuitem', { name, exact: true })
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Copy ID',
      'Star',
      'History',
      'Who can…',
      'Start',
      'Stop',
      'Reboot',
      'Resize',
      'Clone',
      'Save as template',
      'View serial console',
      'Test reachability',
      'Delete',
    ])
    await expectDisabled(item('Stop'), 'Only running instances can be stopped')
    await expectDisabled(item('Reboot'), 'Only running instances can be rebooted')
    await item('Stop').hover()
    await expect(page.getByRole('tooltip')).toHaveText('Only running instances can be stopped')
    // A press has no effect and closes nothing.
    await item('Stop').click({ force: true })
    await expect(menu).toBeVisible()
    await ok(api.instanceStart(wheel))
    await seed.until('mill', 'wheel', 'running')
    await expectDisabled(item('Start'), 'Only stopped or failed instances can be started')
    await expectDisabled(
      item('Resize'),
      'Only stopped, failed, or creating instances can be resized',
    )
    // The dialog lists the obstacles and their steps.
    await expect(item('Delete')).not.toHaveAttribute('aria-disabled')
  })

  test('a failure is shown with its reason @long', async ({ page, host, consoleErrors }) => {
    consoleErrors.expect(/500|API error/)
    await page.route(`${host.url}/v1/instances/wheel/start*`, (route) =>
      route.fulfill({ status: 500, json: { request_id: 'r', message: 'internal trouble' } }),
    )
    await rowAction(page, 'wheel', 'Start')
    await confirm(page, 'Start instance')
    await expect(toasts(page)).toContainText("Error starting instance 'wheel'")
    await expect(toasts(page)).toContainText('Internal trouble')
    await expect(row(page, 'wheel').getByText('stopped')).toBeVisible()
  })
})

test.describe('on the page of the instance', () => {
  test.beforeEach(async ({ page, project, seed }) => {
    await seed.instance(project.name, 'wheel', { description: 'Turns' })
    await page.goto(`${LIST}/wheel`)
    await expect(page).toHaveURL(PAGE)
    await expect(heading(page, 'wheel')).toBeVisible()
  })

  test('start and stop @long', async ({ page }) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await expectDisabled(button('Stop'), 'Only running instances can be stopped')
    await button('Start').click()
    await confirm(page, 'Start instance')
    await expect(button('Stop')).not.toHaveAttribute('aria-disabled', 'true')
    await expectDisabled(button('Start'), 'Only stopped or failed instances can be started')
    await expect(summary(page).getByText('running')).toBeVisible()
    await button('Stop').click()
    await confirm(page, 'Stop instance')
    await expect(summary(page).getByText('stopped')).toBeVisible()
  })

  test('further actions are in a menu @long', async ({ page }) => {
    await page.getByRole('button', { name: 'Instance actions' }).click()
    const menu = page.getByRole('menu', { name: 'Instance actions' })
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Copy ID',
      'Star',
      'Who can…',
      'Reboot',
      'Resize',
      'Clone',
      'Save as template',
      'View serial console',
      'Test reachability',
      'Delete',
    ])
    await menu.getByRole('menuitem', { name: 'View serial console' }).click()
    await expect(page).toHaveURL(`${LIST}/wheel/serial-console`)
  })

  test('deleting leads back to the list @long', async ({ page }) => {
    await page.getByRole('button', { name: 'Instance actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await confirm(page, 'Delete instance')
    await expect(page).toHaveURL(LIST)
    await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
  })
})
