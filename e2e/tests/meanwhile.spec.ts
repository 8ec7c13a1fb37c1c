/** Concurrent edits in two windows: nothing is overwritten silently. */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { intercept } from '../support/faults.ts'
import { addSubnet } from '../support/networks.ts'
import { ok } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import { dialog, expectDisabled, row, rowAction, toasts } from '../support/ui.ts'

const path = { project: 'mill' }
const CHANGED = 'The project was changed meanwhile'

test.beforeEach(({ project }) => {
  expect(project.name).toBe('mill')
})

/** A window with a project being edited. */
async function editing(page: Page) {
  await page.goto('/projects/mill/edit')
  const form = dialog(page, 'Edit project')
  return {
    form,
    name: form.getByRole('textbox', { name: 'Name' }),
    description: form.getByRole('textbox', { name: 'Description' }),
    save: form.getByRole('button', { name: 'Update project' }),
    notice: form.getByRole('status').filter({ hasText: CHANGED }),
  }
}

test('the description of a project is changed in two windows', async ({ page, api }) => {
  const first = await editing(page)
  await first.description.fill('Mine')
  const second = await editing(await page.context().newPage())
  await second.description.fill('Theirs')
  await second.save.click()
  await expect(second.form).toBeHidden()

  await expect(first.notice).toContainText('Description: Grinds is now Theirs')
  await expect(first.description).toHaveValue('Mine')
  await expectDisabled(first.save, `${CHANGED}: decide first which values to keep`)
  await expectAccessible(page)
  await first.notice.getByRole('button', { name: 'Keep mine: Description' }).click()
  await expect(first.notice).toBeHidden()
  await first.save.click()
  await expect(toasts(page)).toContainText('Project mill updated')
  expect((await ok(api.projectView({ path }))).description).toBe('Mine')
})

test.describe('an action without a form', () => {
  const LOOK =
    'It was changed meanwhile, and the page now shows the current state. Review it before you decide.'
  const query = { project: 'mill' }

  test.beforeEach(({ consoleErrors }) => {
    consoleErrors.expect(/412/)
  })

  test("is refused if the facts behind the user's decision have changed @long", async ({
    page,
    seed,
    api,
  }) => {
    const { id } = await seed.instance('mill', 'stone')
    await seed.disk('mill', 'grain')
    const attached = { path: { instance: 'stone' }, query, body: { disk: 'grain' } }
    await ok(api.instanceDiskAttach(attached))
    await page.goto('/projects/mill/instances/stone/storage')
    await rowAction(page, 'grain', 'Set as boot disk')
    const question = dialog(page, 'Set boot disk')
    await expect(question).toBeVisible()
    const body = {
      ncpus: 3,
      memory: 2 ** 31,
      bootDisk: null,
      autoRestartPolicy: null,
      cpuPlatform: null,
      enableJumboFrames: false,
    }
    await ok(api.instanceUpdate({ path: { instance: id }, body }))
    await question.getByRole('button', { name: 'Confirm' }).click()
    await expect(toasts(page)).toContainText(LOOK)
    expect(await ok(api.instanceView({ path: { instance: id } }))).toMatchObject({ ncpus: 3 })

    // The page is refreshed, so the next decision uses current data.
    await rowAction(page, 'grain', 'Set as boot disk')
    await question.getByRole('button', { name: 'Confirm' }).click()
    await expect
      .poll(async () => (await ok(api.instanceView({ path: { instance: id } }))).bootDiskId)
      .toBeTruthy()
    expect((await ok(api.instanceView({ path: { instance: id } }))).ncpus).toBe(3)
  })

  test('is refused if its row is out of date @long', async ({ page, seed, api }) => {
    await addSubnet(api, 'mill', 'backend', '10.7.0.0/24')
    const ipConfig = { type: 'v4' as const, value: { ip: { type: 'auto' as const } } }
    const nic = (name: string, subnetName: string) => ({
      name,
      description: '',
      vpcName: 'default',
      subnetName,
      ipConfig,
    })
    const params = [nic('main', 'default'), nic('side', 'backend')]
    await seed.instance('mill', 'stone', { networkInterfaces: { type: 'create', params } })
    await seed.until('mill', 'stone', 'stopped')
    const { items } = await ok(
      api.instanceNetworkInterfaceList({ query: { ...query, instance: 'stone' } }),
    )
    const side = { path: { interface: items.find(({ name }) => name === 'side')!.id } }
    // The page keeps its rows.
    let rows: object | undefined
    await intercept(page, /v1\/network-interfaces\?/, async (route) => {
      rows ??= (await (await route.fetch()).json()) as object
      await route.fulfill({ json: rows })
    })
    await page.goto('/projects/mill/instances/stone/networking')
    await expect(row(page, 'side')).toBeVisible()
    await ok(api.instanceNetworkInterfaceUpdate({ ...side, body: { description: 'Theirs' } }))
    await rowAction(page, 'side', 'Make primary')
    await expect(toasts(page)).toContainText(LOOK)
    expect(await ok(api.instanceNetworkInterfaceView(side))).toMatchObject({
      description: 'Theirs',
      primary: false,
    })
  })
})

test.describe('a page without events', () => {
  test.beforeEach(async ({ page, consoleErrors }) => {
    consoleErrors.expect(/412|404|API error|ERR_FAILED|Failed to load/)
    await page.route('**/x/v1/events', (route) => route.abort())
  })

  test('the values of others are adopted, one or all @long', async ({ page, api }) => {
    const { name, description, save, notice } = await editing(page)
    const { id } = await ok(api.projectView({ path }))
    const change = (body: object) => ok(api.projectUpdate({ path: { project: id }, body }))
    await name.fill('mine')
    await description.fill('Mine')
    await change({ name: 'theirs', description: 'Theirs' })
    // Its old name is no longer found.
    await save.click()
    await expect(notice).toContainText('Name: mill is now theirs')
    await expect(notice).toContainText('Description: Grinds is now Theirs')
    await notice.getByRole('button', { name: 'Use all new values' }).click()
    await expect(name).toHaveValue('theirs')
    await expect(description).toHaveValue('Theirs')

    await description.fill('Mine again')
    await change({ name: 'others', description: 'Theirs again' })
    await save.click()
    await expect(notice).toContainText('Name: theirs is now others')
    await notice.getByRole('button', { name: 'Use new: Name' }).click()
    await expect(name).toHaveValue('others')
    await expect(description).toHaveValue('Mine again')
    await notice.getByRole('button', { name: 'Keep mine: Description' }).click()
    await save.click()
    await expect(toasts(page)).toContainText('Project others updated')
    const { description: saved } = await ok(api.projectView({ path: { project: id } }))
    expect(saved).toBe('Mine again')
  })

  test('learns of changes when it saves @long', async ({ page, api }) => {
    const { description, save, notice, form } = await editing(page)
    await description.fill('Mine')
    await ok(api.projectUpdate({ path, body: { description: 'Theirs' } }))
    await save.click()
    await expect(notice).toContainText('Description: Grinds is now Theirs')
    await expect(description).toHaveValue('Mine')
    await notice.getByRole('button', { name: 'Keep mine: Description' }).click()
    await save.click()
    await expect(form).toBeHidden()
    expect((await ok(api.projectView({ path }))).description).toBe('Mine')
  })

  test('overwrites nothing with a control plane without tags @long', async ({ page, api }) => {
    await page.route('**/v1/projects/mill', async (route) => {
      const { 'if-match': tag, ...headers } = route.request().headers()
      expect(tag).toBeUndefined()
      const response = await route.fetch({ headers: { ...headers, 'if-none-match': '' } })
      const { etag: _, ...rest } = response.headers()
      await route.fulfill({ response, headers: rest })
    })
    const { description, save, notice, form } = await editing(page)
    await description.fill('Mine')
    await ok(api.projectUpdate({ path, body: { description: 'Theirs' } }))
    await save.click()
    await expect(notice).toContainText('Description: Grinds is now Theirs')
    await notice.getByRole('button', { name: 'Use new: Description' }).click()
    await expect(description).toHaveValue('Theirs')
    await description.fill('Both')
    await save.click()
    await expect(form).toBeHidden()
    expect((await ok(api.projectView({ path }))).description).toBe('Both')
  })

  test('reads anew before it saves, even with a read on its way @long', async ({ page, api }) => {
    let reads = 0
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/v1/projects/mill', async (route) => {
      const { 'if-match': _tag, ...sent } = route.request().headers()
      const response = await route.fetch({ headers: { ...sent, 'if-none-match': '' } })
      // The page reads once; the form begins to read again when it opens.
      if (++reads === 2) await held
      const { etag: _, ...headers } = response.headers()
      await route.fulfill({ response, headers }).catch(() => {})
    })
    const { description, save, notice } = await editing(page)
    await description.fill('Mine')
    await expect.poll(() => reads).toBe(2)
    await ok(api.projectUpdate({ path, body: { description: 'Theirs' } }))
    await save.click()
    await expect.poll(() => reads).toBe(3)
    answer()
    await expect(notice).toContainText('Description: Grinds is now Theirs')
    expect((await ok(api.projectView({ path }))).description).toBe('Theirs')
  })

  test('saves fields that others have not changed without a question @long', async ({
    page,
    api,
    seed,
  }) => {
    const query = { project: 'mill' }
    const { id } = await seed.instance('mill', 'stone')
    await page.goto('/projects/mill/instances')
    await rowAction(page, 'stone', 'Resize')
    const form = dialog(page, 'Resize instance')
    await form.getByRole('spinbutton', { name: 'vCPUs' }).fill('3')
    const before = await ok(api.instanceView({ path: { instance: id } }))
    const { ncpus, memory } = before
    await ok(
      api.instanceUpdate({
        path: { instance: 'stone' },
        query,
        body: {
          ncpus,
          memory,
          bootDisk: null,
          autoRestartPolicy: 'never',
          cpuPlatform: null,
          enableJumboFrames: false,
        },
      }),
    )
    await form.getByRole('button', { name: 'Resize' }).click()
    await expect(form).toBeHidden()
    expect(await ok(api.instanceView({ path: { instance: id } }))).toMatchObject({
      ncpus: 3,
      autoRestartPolicy: 'never',
    })
  })

  test('keeps the input about a deleted resource @long', async ({ page, api }) => {
    const { description, save, form } = await editing(page)
    await description.fill('Mine')
    for (const { name } of (await ok(api.vpcList({ query: path }))).items) {
      const query = { project: 'mill', vpc: name }
      await ok(api.vpcSubnetDelete({ path: { subnet: 'default' }, query }))
      await ok(api.vpcDelete({ path: { vpc: name }, query: path }))
    }
    await ok(api.projectDelete({ path }))
    await save.click()
    const gone = form.getByRole('status').filter({ hasText: 'The project was deleted meanwhile' })
    await expect(gone).toContainText('Your input is kept')
    await expect(description).toHaveValue('Mine')
    await expectDisabled(save, 'The project was deleted meanwhile')
  })
})
