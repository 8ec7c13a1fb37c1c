/** The console behind a real nginx, set up as documented, with the defaults, and set up badly. */
import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { loopback } from '../../packages/control-plane/test/support/image-server.ts'
import {
  type ReverseProxy,
  proxyMissing,
  startReverseProxy,
} from '../../packages/node/test/support/reverse-proxies.ts'
import { liveSign } from '../support/faults.ts'
import { ADMIN_PASSWORD, type Host } from '../support/host.ts'
import {
  expectUploaded,
  fillUpload,
  imageFile,
  MiB,
  progress,
  submitUpload,
} from '../support/images.ts'
import { connected, CONSOLE, line, runningInstance } from '../support/terminal.ts'
import { expect, test } from '../support/test.ts'
import { row } from '../support/ui.ts'

test.use({ hostConfig: { trustedProxies: loopback }, ownContext: true })
test.skip(proxyMissing('nginx') !== undefined, proxyMissing('nginx'))

let proxy: ReverseProxy | undefined
test.afterEach(async ({ page }) => {
  // The page would report the end of the proxy as errors.
  await page.goto('about:blank')
  await proxy?.close()
})

/** @returns the address of the console, where the page has the session of the test */
async function behindNginx(
  page: Page,
  { url }: Host,
  session?: string,
  change?: (documented: string) => string,
): Promise<string> {
  proxy = await startReverseProxy('nginx', url, change)
  if (session) {
    const cookie = { name: 'session', value: session, url: proxy.url }
    await page.context().addCookies([cookie])
  }
  return proxy.url
}

/** A limit on the bodies of requests; undefined for the default of nginx, 1 MiB. */
const limited = (limit?: string) => (documented: string) =>
  documented.replace(/client_max_body_size .*;/, limit ? `client_max_body_size ${limit};` : '')

test.describe('signed out', () => {
  test.use({ signedIn: false })

  test('a user signs in through nginx with TLS, and has live updates and a serial console', async ({
    page,
    host,
    project,
    seed,
    consoleErrors,
  }) => {
    // The page asks for the current user before the sign-in.
    consoleErrors.expect(/status of 401/)
    await runningInstance(project.name, seed)
    const url = await behindNginx(page, host)
    await page.goto(`${url}/projects/${project.name}/disks`)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(ADMIN_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
    await expect(liveSign(page)).toBeVisible()
    await seed.disk(project.name, 'sacks')
    await expect(row(page, 'sacks')).toBeVisible()
    await page.goto(`${url}${CONSOLE}`)
    await expect(connected(page)).toBeVisible()
    await expect(line(page, /^wheel:~#/).last()).toBeVisible()
  })
})

test('a page whose live updates a proxy holds back says so, and polls', async ({
  page,
  host,
  session,
  project,
  seed,
}) => {
  const url = await behindNginx(page, host, session, (documented) =>
    documented.replace('proxy_pass', 'proxy_ignore_headers X-Accel-Buffering;\nproxy_pass'),
  )
  await page.clock.install()
  await page.goto(`${url}/projects`)
  await expect(row(page, project.name)).toBeVisible()
  await page.clock.runFor(5_000)
  await expect(page.getByText('Not live', { exact: true })).toBeVisible()
  await seed.project('other')
  await page.clock.runFor(10_000)
  await expect(row(page, 'other')).toBeVisible()
  await expect(page.getByText('Not live', { exact: true })).toBeVisible()
})

test('an image arrives in smaller pieces through nginx with its default limit', async ({
  page,
  host,
  session,
  project,
  consoleErrors,
}, info) => {
  consoleErrors.expect(/status of (404|413)/)
  const path = info.outputPath('flour.raw')
  const file = await open(path, 'w')
  const bytes = randomBytes(5 * MiB)
  bytes.set([0x55, 0xaa], 510)
  await file.write(bytes)
  await file.truncate(64 * MiB)
  await file.close()
  const url = await behindNginx(page, host, session, limited())
  /** Bytes of each piece, and whether it was refused. */
  const pieces: string[] = []
  page.on('response', async (response) => {
    if (!response.url().includes('/contents?')) return
    const { 'content-length': length } = await response.request().allHeaders()
    pieces.push(`${Number(length) / MiB} ${response.status()}`)
  })
  await page.goto(`${url}/projects/${project.name}/images-new`)
  await fillUpload(page, path)
  await submitUpload(page)
  await expectUploaded(page)
  await expect(progress(page)).toContainText('SHA-256 verified')
  expect(new Set(pieces)).toEqual(new Set(['4 413', '1 204']))
})

test('an upload whose smallest pieces are refused names the setting of the proxy @long', async ({
  page,
  host,
  session,
  project,
  consoleErrors,
}, info) => {
  consoleErrors.expect(/status of (404|413)/)
  const url = await behindNginx(page, host, session, limited('100k'))
  await page.goto(`${url}/projects/${project.name}/images-new`)
  await fillUpload(page, await imageFile(info.outputPath('flour.raw'), 2))
  await submitUpload(page)
  await expect(progress(page)).toContainText(
    'A proxy in front of the console refuses requests of 512 KiB. Raise the proxy’s limit (nginx: client_max_body_size).',
  )
})
