/** Reads the code shown by the console, and runs it. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type Locator, type Page } from '@playwright/test'

export type Language = 'curl' | 'CLI' | 'TypeScript' | 'Terraform'

const within = (place: Page | Locator) => place.getByRole('region', { name: 'As code' })

/** The code, including its surroundings. */
export const codeIn = (place: Page | Locator): Locator =>
  within(place).getByRole('group', { name: 'Code' })

export async function chooseLanguage(place: Page | Locator, language: Language): Promise<void> {
  const tab = within(place).getByRole('tab', { name: language })
  await tab.click()
  await expect(tab).toHaveAttribute('aria-selected', 'true')
}

export async function showAsCode(place: Page | Locator, language: Language): Promise<Locator> {
  await place.getByRole('button', { name: 'Show as code' }).click()
  await chooseLanguage(place, language)
  return codeIn(place)
}

/**
 * Presses "Copy".
 * @returns the contents of the clipboard
 */
export async function copyCode(place: Page | Locator): Promise<string> {
  await within(place).getByRole('button', { name: 'Copy' }).click()
  await expect(within(place).getByRole('button', { name: 'Copied' })).toBeVisible()
  const page = 'page' in place ? place.page() : place
  return page.evaluate(() => navigator.clipboard.readText())
}

const run = promisify(execFile)

/** Runs code in a real shell. @throws with its output if it fails */
export async function runShell(code: string, session: string, cwd?: string): Promise<string> {
  const env = { ...process.env, STEADING_SESSION: session }
  return (await run('sh', ['-c', code], { cwd, env })).stdout
}

/** Runs code as a module of a project with our client installed. */
export async function runTypeScript(
  code: string,
  session: string,
  directory: string,
): Promise<string> {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'shown.mts'), code)
  const env = { ...process.env, STEADING_SESSION: session }
  return (await run(process.execPath, ['shown.mts'], { cwd: directory, env })).stdout
}
