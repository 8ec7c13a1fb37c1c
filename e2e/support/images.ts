import { writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import type { ApiClient, Image } from '@steading/api/client'
import { expect, type Locator, type Page, type Request } from '@playwright/test'
import { ok, type Seed } from './seed.ts'
import { dialog } from './ui.ts'

export const MiB = 1024 ** 2
export const CHUNK = MiB / 2

/** An image in a project, created with few calls. */
export async function seedImage(
  { api, seed }: { api: ApiClient; seed: Seed },
  project: string,
  name: string,
  blockSize: 512 | 2048 | 4096 = 4096,
): Promise<Image> {
  const query = { project }
  const disk = await seed.disk(project, `disk-of-${name}`, {
    diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize } },
  })
  const snapshot = await ok(
    api.snapshotCreate({
      query,
      body: { name: `snapshot-of-${name}`, description: '', disk: disk.name },
    }),
  )
  return ok(
    api.imageCreate({
      query,
      body: {
        name,
        description: 'Made for a test',
        os: 'debian',
        version: '13',
        source: { type: 'snapshot', id: snapshot.id },
      },
    }),
  )
}

/** A file to upload: noise with a boot record, and with zeros in its second mebibyte. */
export async function imageFile(path: string, mebibytes = 6): Promise<string> {
  const bytes = randomBytes(mebibytes * MiB)
  bytes.fill(0, MiB, 2 * MiB)
  bytes.set([0x55, 0xaa], 510)
  await writeFile(path, bytes)
  return path
}

export const uploadForm = (page: Page): Locator => dialog(page, 'Upload image')
export const progress = (page: Page): Locator => dialog(page, 'Image upload progress')
export const uploadStep = (page: Page, label: string): Locator =>
  page.getByTestId(`upload-step: ${label}`)

export async function fillUpload(page: Page, file: string, name = 'flour'): Promise<void> {
  const form = uploadForm(page)
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('textbox', { name: 'Description' }).fill('Ground')
  await form.getByRole('textbox', { name: 'OS' }).fill('debian')
  await form.getByRole('textbox', { name: 'Version' }).fill('13')
  await form.getByLabel('Image file').setInputFiles(file)
}

export const submitUpload = (page: Page): Promise<void> =>
  uploadForm(page).getByRole('button', { name: 'Upload image' }).click()

/** @param options time limit for each step */
export async function expectUploaded(page: Page, options?: { timeout: number }): Promise<void> {
  const steps = page.locator('.upload-step')
  await expect(steps).toHaveCount(8)
  for (const step of await steps.all()) {
    await expect(step).toHaveAttribute('data-status', 'complete', options)
  }
}

const offsetOf = (request: Request) => (request.postDataJSON() as { offset: number }).offset

/**
 * Holds back chunks after a number of them, until released.
 * @returns the offsets of sent and acknowledged chunks, updated live
 */
export async function holdChunks(page: Page, after: number) {
  const gate = Promise.withResolvers<void>()
  const seen: number[] = []
  const acknowledged: number[] = []
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/bulk-write')) acknowledged.push(offsetOf(request))
  })
  await page.route('**/bulk-write', async (route) => {
    seen.push(offsetOf(route.request()))
    if (seen.length > after) await gate.promise
    await route.continue().catch(() => {})
  })
  return { release: gate.resolve, seen, acknowledged }
}

/**
 * Answers the browser's own dialogs.
 * @returns their texts
 */
export function answerQuestions(page: Page, answers: boolean[]): string[] {
  const asked: string[] = []
  page.on('dialog', (question) => {
    asked.push(question.message())
    void (answers.shift() ? question.accept() : question.dismiss())
  })
  return asked
}

/** Possible leftovers of an upload. */
export async function leftovers(api: ApiClient, project: string): Promise<string[]> {
  const query = { project }
  const { items: disks } = await ok(api.diskList({ query }))
  const { items: snapshots } = await ok(api.snapshotList({ query }))
  return [...disks, ...snapshots].map(({ name }) => name)
}
