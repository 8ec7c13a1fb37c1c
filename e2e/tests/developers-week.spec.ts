import {
  type MailServer,
  startMailServer,
} from '../../packages/control-plane/test/support/mail-server.ts'
import { bulkAction } from '../support/jobs.ts'
import { GiB, ok } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import { choose, confirm, dialog, heading, row, rowAction, toasts } from '../support/ui.ts'

let mail: MailServer
test.beforeAll(async () => {
  mail = await startMailServer()
})
test.afterAll(() => mail.close())

test('a token for CI, a template, tags, nightly snapshots, mail, and the wrong machine deleted @long', async ({
  page,
  project,
  host: first,
  session,
  context,
  api: before,
}) => {
  await ok(before.deletionPolicyUpdate({ body: { restorableHours: 24 } }))
  const host = await first.restarted({ smtpUrl: mail.url, mailFrom: 'Cloud <cloud@example.com>' })
  const path = (rest: string) => `${host.url}/projects/${project.name}/${rest}`
  try {
    await context.addCookies([{ name: 'session', value: session, url: host.url }])

    // A token for CI, for this project alone.
    await page.goto(`${host.url}/settings/access-tokens`)
    await page.getByRole('button', { name: 'New token' }).click()
    const token = dialog(page, 'Create access token')
    await token.getByRole('textbox', { name: 'Name' }).fill('ci')
    await token.getByRole('radio', { name: 'Only these' }).check()
    await choose(token.getByRole('combobox', { name: 'Project' }), project.name)
    await token.getByRole('button', { name: 'Create access token' }).click()
    const made = dialog(page, 'Access token created')
    const shown = await made.getByText('export OXIDE_HOST=').innerText()
    const [, secret] = /export OXIDE_TOKEN=(oxide-token-[0-9a-f]{40})/.exec(shown)!
    await made.getByRole('button', { name: 'Done' }).click()
    const asCi = async (method: string, address: string, body?: object) => {
      const response = await fetch(host.url + address, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      })
      const text = await response.text()
      return { status: response.status, body: text ? JSON.parse(text) : undefined }
    }
    const own = `project=${project.name}`
    const disk_source = { type: 'blank', block_size: 512 }
    const disk = { type: 'create', name: 'web-disk', description: '', size: 10 * GiB }
    const created = await asCi('POST', `/v1/instances?${own}`, {
      name: 'web',
      description: '',
      hostname: 'web',
      ncpus: 2,
      memory: GiB,
      boot_disk: { ...disk, disk_backend: { type: 'distributed', disk_source } },
      start: false,
    })
    expect(created.status).toBe(201)
    expect((await asCi('POST', '/v1/projects', { name: 'more', description: '' })).status).toBe(403)

    // A template of it, from which CI creates more.
    await page.goto(path('instances'))
    await rowAction(page, 'web', 'Save as template')
    await expect(heading(page, 'New template from web')).toBeVisible()
    const form = page.getByRole('main')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('web-server')
    await form.getByRole('checkbox', { name: /^vCPUs/ }).check()
    await form.getByRole('button', { name: 'Create template' }).click()
    await expect(toasts(page)).toContainText('Template web-server created')
    const use = { name: 'node', count: 2, values: { cpus: 4 } }
    const nodes = await asCi('POST', `/x/v1/instance-templates/web-server/instances?${own}`, use)
    expect(nodes.status).toBe(201)

    // One tag for all of them, and the list by its values.
    await page.goto(path('instances'))
    await expect(row(page, 'node-2')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await bulkAction(page, 'Tag').click()
    const tags = dialog(page, 'Tag 3 instances')
    await tags.getByRole('textbox', { name: 'Tags to set' }).fill('backup:nightly')
    await tags.getByRole('button', { name: 'Tag', exact: true }).click()
    const job = dialog(page, `Tag 3 instances in ${project.name}`)
    await expect(job.getByText('3 tagged').first()).toBeVisible()
    await job.getByRole('button', { name: 'Close' }).first().click()

    // Nightly snapshots of all that have the tag.
    await page.goto(path('schedules-new'))
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('nightly')
    await choose(form.getByRole('combobox', { name: 'Targets' }), 'backup:nightly')
    await form.getByRole('button', { name: 'Add target' }).click()
    await form.getByRole('button', { name: 'Create schedule' }).click()
    await page.getByRole('button', { name: 'Run now' }).click()
    await confirm(page, 'Run schedule now')
    await expect(row(page, 'Run 1')).toContainText('succeeded')

    // A mail when the quota of storage is nearly used up.
    await page.goto(`${host.url}/settings/notifications?tab=subscriptions`)
    await page.getByRole('button', { name: 'New subscription' }).click()
    const subscription = dialog(page, 'Create subscription')
    await subscription.getByRole('textbox', { name: 'Address' }).fill('dev@example.com')
    await subscription.getByRole('button', { name: 'Create subscription' }).click()
    await expect.poll(() => mail.mails.length).toBe(1)
    const [link = ''] = /\/login\/mail-link\/\S+/.exec(mail.mails[0]!.text ?? '') ?? []
    await page.goto(host.url + link)
    await page.getByRole('button', { name: 'Confirm the address' }).click()
    await expect(page.getByText(/The address is confirmed/)).toBeVisible()
    const headers = { cookie: `session=${session}` }
    const used = await (await fetch(`${host.url}/v1/utilization`, { headers })).json()
    const gib = Math.ceil(used.provisioned.storage / GiB)
    await page.goto(`${host.url}/system/silos/main/quotas`)
    await page.getByRole('button', { name: 'Edit quotas' }).click()
    const quotas = dialog(page, 'Edit quotas')
    await quotas.getByRole('spinbutton', { name: /^Storage/ }).fill(String(gib + 1))
    await quotas.getByRole('button', { name: 'Update Quotas' }).click()
    await expect(quotas).toBeHidden()
    await host.server.controlPlane.notify()
    await expect.poll(() => mail.mails.length).toBe(2)
    expect(mail.mails[1]!.subject).toMatch(/quota|storage/i)

    // The wrong machine is deleted, and comes back with its disk.
    await page.goto(path('instances'))
    await rowAction(page, 'web', 'Delete')
    const deletion = dialog(page, 'Delete instance')
    for (const part of ['disk', 'snapshot']) {
      await deletion.getByRole('checkbox', { name: `Delete it too (1 ${part})` }).check()
    }
    await deletion.getByRole('button', { name: 'Delete with 2 other things' }).click()
    const undo = page.getByRole('dialog')
    await undo.getByRole('button', { name: 'Undo' }).click()
    await undo.getByRole('button', { name: 'Restore 3 deleted resources' }).click()
    await expect(undo.getByText('3 restored').first()).toBeVisible()
    await undo.getByRole('button', { name: 'Close' }).last().click()
    await expect(row(page, 'web')).toBeVisible()
    const back = await asCi('GET', `/v1/instances/web?${own}`)
    expect(back.body.id).toBe(created.body.id)
  } finally {
    // The page would connect again.
    await page.goto('about:blank')
    await host.close()
  }
})
