import { readFile } from 'node:fs/promises'
import { expect, test } from '../../support/test.ts'
import { rowAction } from '../../support/ui.ts'

test('a project is saved as a configuration for Terraform, from its page and its row', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/overview')
  const save = async (press: () => Promise<void>) => {
    const download = page.waitForEvent('download')
    await press()
    const file = await download
    expect(file.suggestedFilename()).toBe('mill.tf')
    return readFile(await file.path(), 'utf8')
  }
  const text = await save(async () => {
    await page.getByRole('button', { name: 'Project actions' }).click()
    await page.getByRole('menuitem', { name: 'Export as Terraform' }).click()
  })
  expect(text).toContain('resource "oxide_instance" "wheel" {')
  await page.goto('/projects')
  expect(await save(() => rowAction(page, 'mill', 'Export as Terraform'))).toBe(text)
})
