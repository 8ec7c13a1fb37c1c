import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ApiClient } from '@steading/api/client'
import { expect, test } from '../../../support/test.ts'
import {
  chooseLanguage,
  copyCode,
  runShell,
  runTypeScript,
  showAsCode,
} from '../../../support/as-code.ts'
import { fillUpload, imageFile, leftovers, uploadForm } from '../../../support/images.ts'
import { ok } from '../../../support/seed.ts'

const query = { project: 'mill' }

/** SHA-256 of the first bytes of a disk created from an image. */
async function contentOf(api: ApiClient, name: string, length: number): Promise<string> {
  const image = await ok(api.imageView({ path: { image: name }, query }))
  const source = { type: 'image', imageId: image.id } as const
  const disk = `from-${name}`
  await ok(
    api.diskCreate({
      query,
      body: {
        name: disk,
        description: '',
        size: image.size,
        diskBackend: { type: 'distributed', diskSource: source },
      },
    }),
  )
  const { sha256 } = await ok(api.diskChecksum({ path: { disk }, query: { ...query, length } }))
  return sha256
}

test('an upload is a runnable script, in both languages @long', async ({
  page,
  project,
  api,
  session,
  consoleErrors,
}, info) => {
  test.slow()
  // The page reads the disk of an unfinished upload while the script finishes or deletes it.
  consoleErrors.expect(/40[04]/)
  const file = await imageFile(info.outputPath("miller's flour.raw"), 3)
  const bytes = await readFile(file)
  const sum = createHash('sha256').update(bytes).digest('hex')
  await page.goto(`/projects/${project.name}/images-new`)
  const form = uploadForm(page)
  await fillUpload(page, file, 'by-curl')
  await showAsCode(form, 'curl')
  await runShell(await copyCode(form), session, dirname(file))
  await form.getByRole('textbox', { name: 'Name' }).fill('by-typescript')
  await chooseLanguage(form, 'TypeScript')
  await runTypeScript(await copyCode(form), session, dirname(file))
  expect(await leftovers(api, 'mill')).toEqual([])
  for (const name of ['by-curl', 'by-typescript']) {
    expect(await contentOf(api, name, bytes.length)).toBe(sum)
  }
})
