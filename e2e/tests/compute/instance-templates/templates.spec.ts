import { expectAccessible } from '../../../support/accessibility.ts'
import { GiB, ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { choose, dialog, heading, row, rowAction, toasts } from '../../../support/ui.ts'

const cpus = {
  name: 'cpus',
  label: 'vCPUs',
  description: '',
  type: 'number' as const,
  required: true,
  default: null,
  choices: [2, 4],
  min: null,
  max: null,
}
const instance = {
  ncpus: { $variable: 'cpus' },
  memory: GiB,
  network_interfaces: { type: 'none' },
  start: false,
}

test('an instance becomes a template, whose form asks only for the variables', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/instances')
  await rowAction(page, 'wheel', 'Save as template')
  await expect(heading(page, 'New template from wheel')).toBeVisible()
  const form = page.getByRole('main')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('like-wheel')
  await form.getByRole('checkbox', { name: /^vCPUs/ }).check()
  await form.getByRole('checkbox', { name: /^Start/ }).check()
  // Rules of a variable are edited in a dialog.
  await form.getByRole('button', { name: 'Edit variable cpus' }).click()
  const variable = dialog(page, 'Variable cpus')
  await variable.getByRole('textbox', { name: 'Maximum' }).fill('4')
  const name = variable.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('start')
  await variable.getByRole('button', { name: 'Update variable' }).click()
  await expect(variable.getByText(/two variables "start"/)).toBeVisible()
  await name.fill('processors')
  await expectAccessible(page)
  await variable.getByRole('button', { name: 'Update variable' }).click()
  await form.getByRole('button', { name: 'Move variable processors down' }).press('Enter')
  await expect(form.getByRole('button', { name: 'Move variable processors down' })).toBeDisabled()
  await expectAccessible(page)
  // A variable in a text, which the control plane would refuse if it were unknown.
  const text = form.getByRole('textbox', { name: 'Instance' })
  expect(JSON.parse(await text.inputValue()).ncpus).toEqual({ $variable: 'processors' })
  await text.fill(
    (await text.inputValue()).replace(/"description": "[^"]*"/, '"description": "for ${team}"'),
  )
  await form.getByRole('button', { name: 'Create template' }).click()
  await expect(form.getByText(/There is no variable "team"/).first()).toBeVisible()
  await form.getByRole('button', { name: 'Add variable' }).click()
  const added = dialog(page, 'Add variable')
  await added.getByRole('textbox', { name: 'Name', exact: true }).fill('team')
  await added.getByRole('textbox', { name: 'Label' }).fill('Team')
  await added.getByRole('button', { name: 'Add variable' }).click()
  const sample = page.getByRole('region', { name: 'Request with sample values' })
  await expect(sample).toContainText('"description": "for sample"')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create template' }).click()

  await expect(toasts(page)).toContainText('Template like-wheel created')
  const path = { instanceTemplate: 'like-wheel' }
  const { variables } = await ok(
    api.instanceTemplateView({ path, query: { project: project.name } }),
  )
  expect(variables.map((one) => one.name)).toEqual(['start', 'processors', 'team'])
  await page.getByRole('link', { name: 'like-wheel' }).first().click()
  await expect(heading(page, 'like-wheel')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('water')
  await form.getByRole('spinbutton', { name: 'Instances' }).fill('2')
  await form.getByRole('textbox', { name: 'Team' }).fill('millers')
  await form.getByRole('checkbox', { name: 'Start' }).uncheck()
  const request = page.getByRole('region', { name: 'Request for water-1' })
  await expect(request).toBeHidden()
  await page.getByText('Show as JSON').click()
  await expect(request).toContainText('"description": "for millers"')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(toasts(page)).toContainText('2 instances created')
  await expect(row(page, 'water-2')).toBeVisible()
  const made = await ok(
    api.instanceView({ path: { instance: 'water-2' }, query: { project: project.name } }),
  )
  expect(made).toMatchObject({ description: 'for millers', runState: 'stopped' })
})

test('refused instances are listed, the others stay, and nothing typed is lost', async ({
  page,
  project,
  seed,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 400|API error/)
  await seed.instance(project.name, 'stream-2')
  // A template of the silo, used in a project.
  const body = { name: 'small', description: 'Of the silo', instance, variables: [cpus] }
  await ok(api.instanceTemplateCreate({ query: {}, body }))
  await page.goto('/projects/mill/instances')
  await expect(page.getByRole('link', { name: 'Templates' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = dialog(page, 'Quick actions')
  await palette.getByRole('combobox', { name: 'Search' }).fill('from template')
  await palette.getByRole('option', { name: 'Create from template' }).click()
  await page
    .getByRole('region', { name: 'Templates of the silo' })
    .getByRole('link', { name: 'small' })
    .click()
  const form = page.getByRole('main')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('stream')
  await form.getByRole('spinbutton', { name: 'Instances' }).fill('3')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('vCPUs is required')).toBeVisible()
  await form.getByRole('button', { name: /vCPUs/ }).click()
  await page.getByRole('option', { name: '4' }).click()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('2 of 3 instances were created')).toBeVisible()
  await expect(form.getByText('stream-2: already exists: instance "stream-2"')).toBeVisible()
  await expectAccessible(page)
  // The same again: there is nothing left to create.
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('Instance name already exists')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('stream')
  await page.reload()
  await expect(form.getByText('Your draft was restored')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('stream')
})

test('the form of a new instance is saved as a template, without its user data @long', async ({
  page,
  project,
  api,
}) => {
  await page.goto('/projects/mill/instances-new')
  const form = page.getByRole('main')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('gear')
  await choose(page.getByRole('combobox', { name: 'Image' }), 'debian-13')
  await page.getByRole('button', { name: 'Save as template' }).click()
  const saving = dialog(page, 'Save as template')
  await saving.getByRole('textbox', { name: 'Name', exact: true }).fill('gears')
  await saving.getByRole('checkbox', { name: 'Image of the boot disk' }).check()
  await saving.getByRole('checkbox', { name: 'vCPUs' }).check()
  await expectAccessible(page)
  await saving.getByRole('button', { name: 'Create template' }).click()
  await expect(toasts(page)).toContainText('Template gears created')
  // The form is as it was.
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('gear')
  const template = await ok(
    api.instanceTemplateView({
      path: { instanceTemplate: 'gears' },
      query: { project: project.name },
    }),
  )
  expect(template.variables.map(({ name, type }) => `${name}: ${type}`)).toEqual([
    'cpus: number',
    'image: image',
  ])
  expect(template.instance).not.toHaveProperty('userData')
})
