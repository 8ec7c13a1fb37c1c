/** Pictures of errors, dialogs and overlays. */
import { showAsCode } from '../../support/as-code.ts'
import { fail, lostNotice, missing, sidebarLink } from '../../support/faults.ts'
import { ADMIN_PASSWORD } from '../../support/host.ts'
import {
  fillUpload,
  holdChunks,
  imageFile,
  progress,
  seedImage,
  submitUpload,
  uploadStep,
} from '../../support/images.ts'
import { boxOfAll, bulkAction, jobDialog } from '../../support/jobs.ts'
import { test as killable } from '../../support/killable.ts'
import { storeInstances } from '../../support/many.ts'
import { addPool, addSubnet } from '../../support/networks.ts'
import { DESK, openAtDesk as open, picture, takePictures } from '../../support/pictures.ts'
import { ok } from '../../support/seed.ts'
import { holdStarting } from '../../support/states.ts'
import { find, line, openConsole } from '../../support/terminal.ts'
import { expect, type Scene, test } from '../../support/test.ts'
import {
  dialog,
  heading,
  openRowActions,
  pressUnder,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

const INSTANCES = '/projects/mill/instances'
const WHEEL = `${INSTANCES}/wheel`

// Errors are part of the pictures.
test.beforeEach(({ consoleErrors }) => {
  consoleErrors.expect(/./)
})

/** A project with content of every kind. */
const scene: Scene = {
  async fill({ host, api, project: { name: project }, seed }) {
    await addPool(host, 'second', { range: ['10.99.0.1', '10.99.0.99'] })
    await addSubnet(api, project, 'backend', '10.7.0.0/24')
    for (const disk of ['grain', 'sacks', 'flour', 'spare']) await seed.disk(project, disk)
    for (const ip of ['door', 'gate']) await seed.floatingIp(project, ip)
    for (const group of ['apart', 'replicas']) await seed.group(project, group)
    await seedImage({ api, seed }, project, 'meal')
    const publicKey = 'ssh-ed25519 AAAA me@here'
    for (const name of ['laptop', 'tower']) {
      await ok(api.currentUserSshKeyCreate({ body: { name, description: '', publicKey } }))
    }
    await seed.instance(project, 'wheel', {
      start: true,
      description: 'Turns day and night, and is looked after by the people of the valley',
      bootDisk: { type: 'attach', name: 'grain' },
      disks: [{ type: 'attach', name: 'sacks' }],
      networkInterfaces: { type: 'default_dual_stack' },
      externalIps: [{ type: 'ephemeral' }, { type: 'floating', floatingIp: 'door' }],
      antiAffinityGroups: ['apart'],
    } as never)
    await seed.instance(project, 'stones', { networkInterfaces: { type: 'default_ipv4' } })
    await seed.instance(project, 'broken', { start: true, autoRestartPolicy: 'never' })
    await seed.until(project, 'wheel', 'running')
    await seed.until(project, 'broken', 'running')
    const { database, engines } = host.server.controlPlane
    const { vm_id } = await database.db
      .selectFrom('instance')
      .select('vm_id')
      .where('name', '=', 'broken')
      .executeTakeFirstOrThrow()
    await engines.machines.crash(vm_id!)
    await seed.until(project, 'broken', 'failed')
    const importing = {
      type: 'distributed',
      diskSource: { type: 'importing_blocks', blockSize: 512 },
    }
    await seed.disk(project, 'tmp-for-image-1a2b3c4d', { diskBackend: importing as never })
    const many = await seed.project('many')
    await storeInstances(host, many.id, 60, (index) => ({
      name: `wheel-${index}`,
      run_state: index === 0 ? 'repairing' : 'stopped',
    }))
  },
}

killable('server away', async ({ process, console: page, mill, consoleErrors }) => {
  consoleErrors.expect(/./)
  await page.setViewportSize(DESK)
  await mill.disk('mill', 'sacks')
  await mill.instance('mill', 'wheel')
  await page.goto(INSTANCES)
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const menu = await openRowActions(page, 'wheel')
  await expect(menu.getByRole('menuitem', { name: 'Start' })).toBeVisible()
  await process.kill()
  await expect(lostNotice(page)).toBeVisible()
  await picture(page, 'lost menu')
  await page.keyboard.press('Escape')
  await picture(page, 'lost list')
  await sidebarLink(page, 'Disks').click()
  await expect(missing(page)).toBeVisible()
  await picture(page, 'lost other list')
})

test.describe('failing', () => {
  test('error page', async ({ page }) => {
    await fail(page, /\/v1\/me\b/)
    await page.setViewportSize(DESK)
    await page.goto('/projects')
    await expect(page.getByText('Something went wrong')).toBeVisible()
    await picture(page, 'error page')
  })

  test('not found below a project, and refused', async ({ page, project }) => {
    await page.goto(`/projects/${project.name}/instances/nobody`)
    await expect(heading(page, 'Page not found')).toBeVisible()
    await picture(page, 'instance not found')
    await fail(page, /\/v1\/disks\?/, 403)
    await page.goto('/projects/mill/disks')
    await expect(missing(page)).toBeVisible()
    await picture(page, 'list refused')
  })

  test('gone', async ({ page, project, seed, api }) => {
    await seed.instance(project.name, 'wheel')
    await open(page, `${WHEEL}/storage`, 'wheel')
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await ok(api.instanceDelete({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
    await expect(missing(page)).toContainText('was deleted')
    await picture(page, 'gone')
  })

  test('parts', async ({ page, project, seed }) => {
    await seed.instance(project.name, 'wheel')
    await fail(page, /\/v1\/(instances\/wheel\/external-ips|network-interfaces|ip-pools)/)
    await open(page, `${WHEEL}/storage`, 'wheel')
    await expect(page.getByRole('button', { name: 'Not loaded' })).toHaveCount(2)
    await picture(page, 'parts failed')
    await page.goto(`${WHEEL}/networking`)
    await expect(missing(page)).toBeVisible()
    await picture(page, 'tab failed')
  })

  test('panel and refresh', async ({ page, project, seed }) => {
    await seed.disk(project.name, 'sacks')
    const mend = await fail(page, /\/v1\/disks\/sacks/)
    await page.setViewportSize(DESK)
    await page.goto('/projects/mill/disks/sacks')
    await expect(dialog(page, 'Disk').getByRole('alert')).toBeVisible()
    await picture(page, 'panel failed')
    mend()
    await open(page, '/projects/mill/disks', 'Disks')
    await expect(row(page, 'sacks')).toBeVisible()
    await fail(page, /\/disks\?/)
    await page.getByRole('button', { name: 'Refresh data' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await picture(page, 'refresh failed')
  })

  test('session', async ({ page, api }) => {
    await page.setViewportSize(DESK)
    await page.goto('/projects-new')
    const form = dialog(page, 'Create project')
    await form.getByRole('textbox', { name: 'Name' }).fill('forge')
    await api.logout()
    await pressUnder(page, 'button', 'Create project')
    const question = dialog(page, 'Sign in again')
    await expect(question).toBeVisible()
    await picture(page, 'sign in again')
    await question.getByRole('textbox', { name: 'Username' }).fill('admin')
    await question.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await question.getByRole('button', { name: 'Sign in' }).click()
    await expect(
      question.getByRole('alert').or(question.getByText('Could not')).first(),
    ).toBeVisible()
    await picture(page, 'sign in again refused')
    await question.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD)
    await question.getByRole('button', { name: 'Sign in' }).click()
    await expect(dialog(page, 'You are signed in again')).toBeVisible()
    await picture(page, 'signed in again')
    await dialog(page, 'You are signed in again').getByRole('button', { name: 'Not now' }).click()
    await expect(form.getByText('Your session had ended')).toBeVisible()
    await picture(page, 'form after the session')
    await form.getByRole('textbox', { name: 'Name' }).fill('forge of the valley')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Keep editing' })).toBeVisible()
    await picture(page, 'leaving a form')
  })

  test('session ended', async ({ page, api }) => {
    await open(page, '/projects', 'Projects')
    await api.logout()
    await pressUnder(page, 'button', 'Refresh data')
    await dialog(page, 'Sign in again').getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await picture(page, 'session ended')
  })

  test('draft', async ({ page, project }) => {
    await open(page, `/projects/${project.name}/instances-new`, 'Create instance')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
    await page.reload()
    await expect(page.getByText('Your draft was restored')).toBeVisible()
    await picture(page, 'draft')
  })
})

test.describe('dialogs', () => {
  test.use({ scene })

  test('deletions', async ({ page }) => {
    const ask = async (path: string, title: string, name: string, kind: string) => {
      await open(page, path, title)
      await rowAction(page, name, 'Delete')
      const question = dialog(page, `Delete ${kind}`)
      await expect(question.getByRole('group', { name: 'Loading' })).toBeHidden()
      await expect(question).toContainText(name)
      await picture(page, `delete ${kind} ${name}`)
    }
    await ask('/projects', 'Projects', 'mill', 'project')
    await ask(INSTANCES, 'Instances', 'wheel', 'instance')
    await ask(INSTANCES, 'Instances', 'stones', 'instance')
    await ask('/projects/mill/disks', 'Disks', 'grain', 'disk')
    await ask('/projects/mill/disks', 'Disks', 'spare', 'disk')
    await ask('/projects/mill/disks', 'Disks', 'tmp-for-image-1a2b3c4d', 'disk')
    await ask('/projects/mill/snapshots', 'Snapshots', 'snapshot-of-meal', 'snapshot')
    await ask('/settings/ssh-keys', 'SSH Keys', 'tower', 'SSH key')
    await open(page, '/projects/many/instances', 'Instances')
    await boxOfAll(page).check()
    await page.getByRole('button', { name: 'Select all 60 instances' }).click()
    await bulkAction(page, 'Delete').click()
    await expect(jobDialog(page).getByRole('textbox')).toBeVisible()
    await picture(page, 'delete sixty')
  })

  test('questions', async ({ page }) => {
    await open(page, INSTANCES, 'Instances')
    await rowAction(page, 'wheel', 'Stop')
    await expect(dialog(page, 'Stop instance')).toBeVisible()
    await picture(page, 'stop')
    await dialog(page, 'Stop instance').getByRole('button', { name: 'Show as code' }).click()
    await expect(dialog(page, 'Stop instance').getByRole('group', { name: 'Code' })).toBeVisible()
    await picture(page, 'stop as code')
    await open(page, `${WHEEL}/connect`, 'wheel')
    await page.getByRole('button', { name: 'CLI Command' }).click()
    await expect(dialog(page, 'CLI command')).toBeVisible()
    await picture(page, 'cli command')
  })

  test('views', async ({ page }) => {
    await open(page, `${INSTANCES}?q=wheel`, 'Instances')
    await page.getByRole('button', { name: /^Views/ }).click()
    await page.getByRole('menuitem', { name: 'Save as new view…' }).click()
    await expect(dialog(page, 'Save view')).toBeVisible()
    await picture(page, 'save view')
  })

  test('pages of an instance', async ({ page }) => {
    for (const tab of ['storage', 'networking', 'connect', 'settings']) {
      await open(page, `${WHEEL}/${tab}`, 'wheel')
      await expect(page.getByRole('tabpanel').getByRole('heading').first()).toBeVisible()
      await picture(page, `wheel ${tab}`)
    }
    await open(page, `${INSTANCES}/broken/storage`, 'broken')
    await expect(page.getByText('has failed')).toBeVisible()
    await picture(page, 'failed instance')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${WHEEL}/storage`)
    await page.getByRole('button', { name: 'Details' }).click()
    await takePictures(page, 'details open')
  })

  test('forms', async ({ page }) => {
    const form = async (path: string, title: string) => {
      await page.goto(path)
      await expect(dialog(page, title)).toBeVisible()
      await picture(page, `form ${title}`)
    }
    await form('/projects/mill/snapshots-new', 'Create snapshot')
    await form('/projects/mill/snapshots/snapshot-of-meal/images-new', 'Create image from snapshot')
    await form('/projects/mill/images-new', 'Upload image')
    await form('/projects/mill/images/meal', 'Image details')
    await form('/projects/mill/floating-ips-new', 'Create floating IP')
    await form('/projects/mill/floating-ips/gate/edit', 'Edit floating IP')
    await form('/projects/mill/affinity-new', 'New affinity group')
    await open(page, `${INSTANCES}/stones/networking`, 'stones')
    await page.getByRole('button', { name: 'Add network interface' }).click()
    await expect(dialog(page, 'Add network interface')).toBeVisible()
    await picture(page, 'add interface')
    await open(page, `${INSTANCES}/stones/networking`, 'stones')
    await page.getByRole('button', { name: 'Attach floating IP' }).click()
    await expect(dialog(page, 'Attach floating IP')).toBeVisible()
    await picture(page, 'attach floating ip')
    await open(page, `${INSTANCES}/stones/settings`, 'stones')
    await page.getByRole('button', { name: 'Add to group' }).first().click()
    await expect(dialog(page, 'Add to anti-affinity group')).toBeVisible()
    await picture(page, 'add to group')
    await open(page, '/images', 'Silo Images')
    await page.getByRole('button', { name: 'Promote image' }).click()
    await expect(dialog(page, 'Promote image')).toBeVisible()
    await picture(page, 'promote')
    await open(page, '/projects/mill/affinity/apart', 'apart')
    await picture(page, 'a group')
    await page.goto('/projects/mill/disks-new')
    await showAsCode(dialog(page, 'Create disk'), 'TypeScript')
    await picture(page, 'disk as code')
  })

  test('the form of an instance', async ({ page }) => {
    await open(page, `${INSTANCES}-new`, 'Create instance')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel-2')
    await picture(page, 'instance form', 2400)
    await page.getByRole('button', { name: 'Create new disk' }).scrollIntoViewIfNeeded()
    await page.getByRole('combobox', { name: 'Image' }).first().click()
    await expect(page.getByRole('option').first()).toBeVisible()
    await picture(page, 'instance image')
    await open(page, `${INSTANCES}-new`, 'Create instance')
    await page.getByRole('button', { name: 'Show as code' }).click()
    await picture(page, 'instance as code')
  })

  test('over the page', async ({ page }) => {
    await open(page, INSTANCES, 'Instances')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('wheel')
    await expect(dialog(page, 'Quick actions').getByRole('option').first()).toBeVisible()
    await expect(dialog(page, 'Quick actions').getByRole('group').nth(1)).toBeVisible()
    await picture(page, 'palette found')
    await open(page, `${WHEEL}/storage`, 'wheel')
    await page.keyboard.press('Control+k')
    await expect(dialog(page, 'Quick actions').getByRole('option').first()).toBeVisible()
    await picture(page, 'palette of an instance')
    await open(page, `${WHEEL}/storage`, 'wheel')
    await page.getByRole('button', { name: 'Instance actions' }).click()
    await expect(page.getByRole('menuitem').first()).toBeVisible()
    await picture(page, 'instance menu')
    await open(page, `${WHEEL}/settings`, 'wheel')
    await page.getByRole('button', { name: 'Policy' }).click()
    await expect(page.getByRole('option').first()).toBeVisible()
    await picture(page, 'listbox')
    await open(page, '/projects', 'Projects')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Theme' }).click()
    await expect(page.getByRole('menuitemradio').first()).toBeVisible()
    await picture(page, 'theme menu')
    await open(page, INSTANCES, 'Instances')
    await page.getByRole('table').getByText('failed', { exact: true }).hover()
    await expect(page.getByRole('tooltip')).toBeVisible()
    await picture(page, 'tooltip')
    await open(page, INSTANCES, 'Instances')
    for (let step = 0; step < 3; step++) await page.keyboard.press('Tab')
    await picture(page, 'tabbed')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await picture(page, 'row in focus')
  })

  test('upload', async ({ page }, info) => {
    await open(page, '/projects/mill/images', 'Project Images')
    await expect(page.getByText('An upload was interrupted')).toBeVisible()
    await picture(page, 'interrupted upload')
    const file = await imageFile(info.outputPath('flour.raw'))
    await page.goto('/projects/mill/images-new')
    await fillUpload(page, file)
    await picture(page, 'upload form')
    const { release } = await holdChunks(page, 4)
    await submitUpload(page)
    await expect(uploadStep(page, 'Upload image file')).toHaveAttribute('data-status', 'running')
    await picture(page, 'upload runs')
    release()
    await expect(progress(page)).toContainText('The image is ready')
    await picture(page, 'upload done')
    await page.goto('/projects/mill/disks/tmp-for-image-1a2b3c4d/resume-upload')
    await expect(dialog(page, 'Resume upload')).toBeVisible()
    await picture(page, 'resume upload')
  })
})

test('jobs and toasts', async ({ page, project, seed, host }) => {
  for (const name of ['axle', 'beam', 'cog', 'drum']) await seed.instance(project.name, name)
  await seed.instance(project.name, 'wheel', { start: true })
  await seed.until(project.name, 'wheel', 'running')
  await open(page, INSTANCES, 'Instances')
  await boxOfAll(page).check()
  const gate = Promise.withResolvers<void>()
  await page.route('**/x/v1/jobs', async (route) => {
    await gate.promise
    await route.continue()
  })
  await bulkAction(page, 'Start').click()
  await expect(jobDialog(page).getByRole('group', { name: 'Loading' })).toBeVisible()
  await picture(page, 'plan loads')
  gate.resolve()
  await expect(jobDialog(page).getByRole('button', { name: 'Start 4 instances' })).toBeVisible()
  await picture(page, 'plan')
  const letGo = holdStarting(host)
  await jobDialog(page).getByRole('button', { name: 'Start 4 instances' }).click()
  await expect(jobDialog(page).getByRole('progressbar')).toBeVisible()
  await picture(page, 'job runs')
  await jobDialog(page).getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('button', { name: /^Jobs/ }).click()
  await picture(page, 'jobs popup')
  await page.keyboard.press('Escape')
  letGo()
  await open(page, INSTANCES, 'Instances')
  await expect(row(page, 'drum').getByText('running')).toBeVisible()
  await open(page, '/jobs', 'Jobs')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await picture(page, 'jobs list')
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(jobDialog(page)).toBeVisible()
  await picture(page, 'job done')
  await open(page, INSTANCES, 'Instances')
  await rowAction(page, 'drum', 'Reboot')
  await dialog(page, 'Reboot instance').getByRole('button', { name: 'Confirm' }).click()
  await expect(toasts(page)).toContainText('drum')
  await toasts(page).getByText('drum').hover()
  await fail(page, /\/instances\/cog\/stop/)
  await rowAction(page, 'cog', 'Stop')
  await dialog(page, 'Stop instance').getByRole('button', { name: 'Confirm' }).click()
  await expect(toasts(page)).toContainText('Error')
  await picture(page, 'toasts')
})

test('serial console', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel', { start: true })
  await seed.until(project.name, 'wheel', 'running')
  await page.setViewportSize(DESK)
  await openConsole(page)
  await page.keyboard.type('ps\nip addr\ndf\n')
  await expect(line(page, 'Filesystem')).toBeVisible()
  await find(page, 'root')
  await picture(page, 'console find')
  await page.keyboard.press('Escape')
  await page.keyboard.type('poweroff\n')
  await expect(page.getByRole('status').filter({ hasText: 'The instance is' })).toContainText(
    'stopped',
  )
  await picture(page, 'console ended')
})

test.describe('forced colours', () => {
  test.use({ scene, contextOptions: { forcedColors: 'active' } })

  test('lists, forms and dialogs', async ({ page }) => {
    await open(page, INSTANCES, 'Instances')
    await page.getByRole('checkbox', { name: 'Select wheel' }).check()
    await picture(page, 'forced list')
    await open(page, `${INSTANCES}-new`, 'Create instance')
    await picture(page, 'forced form')
    await open(page, `${WHEEL}/networking`, 'wheel')
    await picture(page, 'forced tabs')
    await open(page, INSTANCES, 'Instances')
    await rowAction(page, 'wheel', 'Delete')
    await expect(dialog(page, 'Delete instance')).toContainText('Blocks deletion')
    await picture(page, 'forced dialog')
    await open(page, INSTANCES, 'Instances')
    await openRowActions(page, 'wheel')
    await picture(page, 'forced menu')
  })
})
