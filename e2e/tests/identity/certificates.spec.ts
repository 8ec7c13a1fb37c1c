import { makeCertificate } from '../../../packages/api/test/support/certificates.ts'
import { expectAccessible } from '../../support/accessibility.ts'
import { showAsCode } from '../../support/as-code.ts'
import { addUser } from '../../support/host.ts'
import { ok } from '../../support/seed.ts'
import { expect, openAs, test } from '../../support/test.ts'
import { daysFromNow } from '../../support/times.ts'
import {
  confirm,
  dialog,
  expectFieldError,
  heading,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

const file = (name: string, text: string) => ({
  name,
  mimeType: 'application/x-pem-file',
  buffer: Buffer.from(text),
})

test('a certificate is added, checked and deleted @long', async ({ page, api, consoleErrors }) => {
  consoleErrors.expect(/400|API error/)
  const host = 'main.sys.placeholder'
  const good = await makeCertificate({ names: [host, '*.cloud.example'], days: 12 })
  const old = await makeCertificate({ names: ['old.example'], days: -3 })
  const [one, other] = await Promise.all(
    ['one', 'other'].map((commonName) => makeCertificate({ commonName, ca: true })),
  )
  const young = await makeCertificate({ names: [host], days: 300 })
  await page.goto('/certificates')
  await expect(page.getByRole('heading', { name: 'No certificates' })).toBeVisible()
  await page.getByRole('link', { name: 'Add certificate' }).click()

  const form = dialog(page, 'Add TLS certificate')
  const add = form.getByRole('button', { name: 'Add certificate' })
  await add.click()
  await expectFieldError(form.getByLabel('Cert', { exact: true }), 'Cert is required')
  await expectFieldError(form.getByLabel('Key', { exact: true }), 'Key is required')
  await form.getByRole('textbox', { name: 'Name' }).fill('autumn')

  // Hints follow the chosen file, and never block.
  const choose = (name: string, text: string) =>
    form.getByLabel('Cert', { exact: true }).setInputFiles(file(name, text))
  await choose('broken.pem', 'not a certificate')
  await expect(form.getByText("Couldn't parse certificate")).toBeVisible()
  await choose('old.pem', old.cert)
  await expect(form.getByText('Certificate expired')).toBeVisible()
  await expect(form.getByText('Certificate domain mismatch')).toBeVisible()
  await expect(form.getByText(`Expected to match ${host}`)).toBeVisible()
  await expect(form.getByRole('listitem').filter({ hasText: 'old.example' })).toBeVisible()
  await expect(form.getByText("Couldn't parse certificate")).toBeHidden()
  await choose('unordered.pem', good.own + one!.own + other!.own)
  await expect(form.getByText('Chain not in order')).toBeVisible()
  await expect(form.getByText(/Certificate 2 of the file is not the issuer/)).toBeVisible()
  const issued = await makeCertificate({ names: [host], issuer: one!, keyType: 'P-521' })
  await choose('reversed.pem', one!.own + issued.own)
  await expect(form.getByText('Put the certificate of the server first.')).toBeVisible()
  await choose('alone.pem', issued.own)
  await expect(
    form.getByText('The certificate of the issuer one is not in the file.'),
  ).toBeVisible()
  await expect(form.getByText(/Most browsers refuse certificates with P-521 keys/)).toBeVisible()
  await choose('old.pem', old.cert)
  await expect(form.getByText('Chain not in order')).toBeHidden()
  await form.getByLabel('Key', { exact: true }).setInputFiles(file('autumn.key', old.key))
  await add.click()
  await expect(form.getByRole('alert')).toContainText('Certificate exists, but is expired')
  await choose('autumn.pem', `\uFEFF${good.cert}`)
  await expect(form.getByText('Certificate expired')).toBeHidden()
  await expect(form.getByText('Certificate domain mismatch')).toBeHidden()

  // The shown code does not contain the key.
  const code = await showAsCode(form, 'curl')
  await expect(code).toContainText('contents of autumn.key')
  await form.getByRole('button', { name: 'Show as code' }).click()
  await add.click()
  await expect(toasts(page)).toContainText('Certificate autumn added')
  await expect(page).toHaveURL('/certificates')
  await expect(row(page, 'autumn')).toContainText(`${host}, *.cloud.example`)
  await expect(row(page, 'autumn')).toContainText('11 days left')

  // Another client adds one.
  const body = { name: 'winter', description: '', service: 'external_api' } as const
  await ok(api.certificateCreate({ body: { ...body, cert: young.cert, key: young.key } }))
  await page.getByRole('button', { name: 'Refresh data' }).click()
  await expect(row(page, 'winter')).toContainText('299 days left')

  await rowAction(page, 'autumn', 'Delete')
  await confirm(page, 'Delete certificate')
  await expect(toasts(page)).toContainText('Certificate autumn deleted')
  await expect(row(page, 'autumn')).toBeHidden()
  await expect(row(page, 'winter')).toBeVisible()
})

test('certificates that expire soon or have expired stand out @long', async ({
  page,
  api,
  host,
}) => {
  const { db } = host.server.controlPlane.database
  for (const [name, days] of Object.entries({ valid: 90, ending: 5, ended: -2 })) {
    const fresh = await makeCertificate({ names: ['main.sys.example'] })
    const { cert } = await makeCertificate({ names: ['main.sys.example'], days })
    const body = { name, description: '', service: 'external_api' } as const
    const { id } = await ok(
      api.certificateCreate({ body: { ...body, cert: fresh.cert, key: fresh.key } }),
    )
    // Simulates the passage of time.
    const time_ends = daysFromNow(days).toISOString()
    const names = JSON.stringify([`${name}.example`])
    const aged = { cert, time_ends, names }
    await db.updateTable('certificate').set(aged).where('id', '=', id).execute()
  }
  await page.goto('/certificates')
  await expect(row(page, 'valid')).toContainText('89 days left')
  await expect(row(page, 'ending')).toContainText('4 days left')
  await expect(row(page, 'ended')).toContainText('Ended')

  // On every page, until it is dismissed.
  const notice = page.getByRole('status').filter({ hasText: 'The certificate' })
  await expect(notice).toHaveText(
    'The certificate ended of silo main has ended. Browsers refuse to connect with it. 1 more ends soon.',
  )
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toBeHidden()
  await page.getByRole('link', { name: 'Images' }).click()
  await expect(heading(page, 'Silo Images')).toBeVisible()
  await expect(notice).toBeHidden()
})

test('a user who is not an admin of the silo gets an explanation @long', async ({
  page,
  host,
  consoleErrors,
}) => {
  consoleErrors.expect(/403|API error/)
  const other = await openAs(page, host.url, await addUser(host, 'bob'))
  await other.goto('/certificates')
  await expect(heading(other, 'Certificates')).toBeVisible()
  await expect(other.getByRole('alert')).toContainText('Action not authorized')
  const sidebar = other.getByRole('navigation', { name: 'Sidebar navigation' })
  await expect(sidebar.getByRole('link', { name: 'Images' })).toBeVisible()
  await expect(sidebar.getByRole('link', { name: 'Certificates' })).toBeHidden()
})
