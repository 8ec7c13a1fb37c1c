import { expect, test } from '../../../support/test.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import {
  chooseLanguage,
  codeIn,
  copyCode,
  runShell,
  runTypeScript,
  showAsCode,
  type Language,
} from '../../../support/as-code.ts'
import { seedImage } from '../../../support/images.ts'
import { ok } from '../../../support/seed.ts'
import { walker } from '../../../support/tab.ts'
import { choose, dialog } from '../../../support/ui.ts'

const hard = `it's "50 %" of $HOME, \`id\` \\ \${x} — 🐄`

test('code follows the input, and works', async ({ page, api, session }, info) => {
  await page.goto('/projects-new')
  const form = dialog(page, 'Create project')
  const code = await showAsCode(form, 'curl')
  await expect(code).toContainText('"name": ""')
  await form.getByRole('textbox', { name: 'Name' }).fill('corn-mill')
  await expect(code).toContainText('"name": "corn-mill"')
  await form.getByRole('textbox', { name: 'Description' }).fill(hard)
  expect(JSON.parse(await runShell(await copyCode(form), session))).toMatchObject({
    name: 'corn-mill',
    description: hard,
  })
  await form.getByRole('textbox', { name: 'Name' }).fill('wind-mill')
  await chooseLanguage(form, 'TypeScript')
  await runTypeScript(await copyCode(form), session, info.outputDir)
  await chooseLanguage(form, 'Terraform')
  await expect(code).toContainText('resource "oxide_project" "wind_mill"')
  const { items } = await ok(api.projectList())
  expect(items.map(({ name, description }) => [name, description])).toEqual([
    ['corn-mill', hard],
    ['wind-mill', hard],
  ])
})

test('failing code reports the reason @long', async ({ page, project, session }, info) => {
  await page.goto('/projects-new')
  const form = dialog(page, 'Create project')
  await showAsCode(form, 'curl')
  await form.getByRole('textbox', { name: 'Name' }).fill(project.name)
  await expect(runShell(await copyCode(form), session)).rejects.toMatchObject({
    stdout: expect.stringContaining('already exists: project'),
  })
  await expect(runShell(await copyCode(form), 'another')).rejects.toThrow(/401/)
  await chooseLanguage(form, 'TypeScript')
  await expect(runTypeScript(await copyCode(form), session, info.outputDir)).rejects.toThrow(
    /already exists: project/,
  )
})

test('an empty form has code, in every language @long', async ({ page, project, api, seed }) => {
  test.slow()
  const disk = await seed.disk('mill', 'flour')
  await ok(
    api.snapshotCreate({
      query: { project: 'mill' },
      body: { name: 'before', description: '', disk: disk.name },
    }),
  )
  await seed.floatingIp('mill', 'gate')
  await seed.group('mill', 'apart')
  await seed.affinityGroup('mill', 'close')
  const below = `/projects/${project.name}`
  const forms: [path: string, Record<Exclude<Language, 'CLI'>, RegExp>][] = [
    ['/projects/mill/edit', { curl: /PUT/, TypeScript: /projectUpdate/, Terraform: /mill/ }],
    [
      '/settings/ssh-keys-new',
      { curl: /me\/ssh-keys/, TypeScript: /publicKey: ''/, Terraform: /oxide_ssh_key/ },
    ],
    [
      `${below}/disks-new`,
      { curl: /"size": 10737418240/, TypeScript: /blockSize: 4096/, Terraform: /block_size/ },
    ],
    [
      `${below}/snapshots-new`,
      { curl: /"disk": ""/, TypeScript: /disk: ''/, Terraform: /disk_id\s+= null/ },
    ],
    [
      `${below}/snapshots/before/images-new`,
      { curl: /"type": "snapshot"/, TypeScript: /imageCreate/, Terraform: /source_snapshot_id/ },
    ],
    [
      `${below}/images-new`,
      { curl: /base64/, TypeScript: /diskBulkWriteImport\(/, Terraform: /cannot upload a file/ },
    ],
    [
      `${below}/floating-ips-new`,
      { curl: /"pool": "default"/, TypeScript: /explicit/, Terraform: /oxide_ip_pool/ },
    ],
    [
      `${below}/floating-ips/gate/edit`,
      {
        curl: /floating-ips\/gate/,
        TypeScript: /floatingIpUpdate/,
        Terraform: /oxide_floating_ip/,
      },
    ],
    [
      `${below}/external-subnets-new`,
      {
        curl: /"prefix_length": 24/,
        TypeScript: /externalSubnetCreate/,
        Terraform: /prefix_len\s+= 24/,
      },
    ],
    [
      `${below}/affinity-new`,
      { curl: /"failure_domain": "sled"/, TypeScript: /policy: 'allow'/, Terraform: /policy/ },
    ],
    [
      `${below}/affinity/apart/edit`,
      { curl: /PUT/, TypeScript: /antiAffinityGroupUpdate/, Terraform: /"apart"/ },
    ],
    [
      `${below}/affinity-groups/close/edit`,
      { curl: /PUT/, TypeScript: /affinityGroupUpdate/, Terraform: /no resource for this/ },
    ],
    [
      `${below}/instances-new`,
      { curl: /"hostname": ""/, TypeScript: /ncpus: 2/, Terraform: /oxide_instance/ },
    ],
  ]
  const goTo = await walker(page)
  for (const [path, expected] of forms) {
    await goTo(path)
    await page.getByRole('button', { name: 'Show as code' }).click()
    for (const language of ['curl', 'TypeScript', 'Terraform'] as const) {
      await chooseLanguage(page, language)
      await expect(codeIn(page)).toContainText(expected[language])
    }
  }
})

test('the shown code is the request that is sent, including a generated name @long', async ({
  page,
  project,
  api,
  seed,
}) => {
  const image = await seedImage({ api, seed }, 'mill', 'debian')
  await page.goto(`/projects/${project.name}/instances-new`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('miller')
  await page.getByRole('tab', { name: 'Project images' }).click()
  await choose(page.getByRole('combobox', { name: 'Image' }), image.name)
  const code = await showAsCode(page, 'curl')
  await expect(code).toContainText(image.id)
  const shown = await runShell(
    `curl() { while [ "$1" != --data-raw ]; do shift; done; printf %s "$2"; }\n${await copyCode(page)}`,
    'nobody',
  )
  const sending = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Create instance' }).click()
  expect(JSON.parse(shown)).toEqual((await sending).postDataJSON())
  await expect(page).toHaveURL('/projects/mill/instances/miller/storage')
})

test('code is reached, read and left with the keyboard @long', async ({ page }) => {
  await page.goto('/projects-new')
  const form = dialog(page, 'Create project')
  const toggle = form.getByRole('button', { name: 'Show as code' })
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await form.getByRole('textbox', { name: 'Name' }).fill('mill')
  await toggle.focus()
  await page.keyboard.press('Enter')
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await expect(codeIn(form)).toBeVisible()
  await form.getByRole('tab', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(form.getByRole('tab', { name: 'CLI' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(form.getByRole('tab', { name: 'TypeScript' })).toBeFocused()
  await expect(codeIn(form)).toContainText('api.projectCreate')
  await page.keyboard.press('Tab')
  await expect(form.getByRole('button', { name: 'Copy' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(form.getByRole('button', { name: 'Copied' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(codeIn(form)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(form.getByRole('link', { name: /set up the command line/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(toggle).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(codeIn(form)).toBeHidden()
  // The language is remembered.
  await page.reload()
  await toggle.click()
  await expect(form.getByRole('tab', { name: 'TypeScript' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
})

test('code is accessible, and fits a small screen @long', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/disks-new`)
  await showAsCode(dialog(page, 'Create disk'), 'Terraform')
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 640 })
  await expectNoSidewaysScroll(page)
  await page.goto(`/projects/${project.name}/instances-new`)
  await showAsCode(page, 'curl')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  const [code, bar] = [codeIn(page), page.getByRole('button', { name: 'Create instance' })]
  await expect(code).toBeInViewport()
  await expect(bar).toBeInViewport()
})
