import { expectAccessible } from '../../../support/accessibility.ts'
import {
  find,
  line,
  openConsole,
  runningInstance,
  screen,
  searchBar,
} from '../../../support/terminal.ts'
import { expect, test } from '../../../support/test.ts'

test.beforeEach(async ({ page, project, seed }) => {
  await runningInstance(project.name, seed)
  await openConsole(page)
})

test('finds matches one after the other, newest first @long', async ({ page }) => {
  // Twice in the input, and twice in the output.
  await page.keyboard.type('printf Wheat wheat\\n\n')
  await expect(line(page, /^Wheat wheat/)).toBeVisible()
  await page.keyboard.press('Control+f')
  const field = searchBar(page).getByRole('textbox', { name: 'Find' })
  const found = searchBar(page).getByRole('status')
  await expect(field).toBeFocused()
  await expect(found).toHaveText('')
  await page.keyboard.type('wheat')
  await expect(found).toHaveText('4 of 4')
  await page.keyboard.press('Enter')
  await expect(found).toHaveText('3 of 4')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.press('Shift+Enter')
  await expect(found).toHaveText('1 of 4')
  await searchBar(page).getByRole('button', { name: 'Next match' }).click()
  await expect(found).toHaveText('2 of 4')
  await searchBar(page).getByRole('button', { name: 'Previous match' }).click()
  await expect(found).toHaveText('1 of 4')
  await expectAccessible(page)

  const matchCase = searchBar(page).getByRole('button', { name: 'Match case' })
  await matchCase.click()
  await expect(matchCase).toHaveAttribute('aria-pressed', 'true')
  await expect(found).toHaveText('2 of 2')
  await field.fill('barley')
  await expect(found).toHaveText('No matches')
  await expect(field).toHaveAttribute('aria-invalid', 'true')

  // Later output is searched as well.
  await field.fill('rye')
  await expect(found).toHaveText('No matches')
  await screen(page).getByRole('textbox').focus()
  await page.keyboard.type('rye')
  await expect(found).toHaveText('1 of 1')

  await field.press('Escape')
  await expect(searchBar(page)).toBeHidden()
  await expect(screen(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.type(' bread')
  await expect(line(page, /^wheel:~# rye bread/)).toBeVisible()
})

test('the button opens it, and opening it again selects the text @long', async ({ page }) => {
  const found = await find(page, 'firmware')
  await expect(found).toHaveText('1 of 1')
  await page.keyboard.press('Control+f')
  await page.keyboard.type('Welcome')
  await expect(searchBar(page).getByRole('textbox')).toHaveValue('Welcome')
  // The current match can be copied.
  await page.getByRole('button', { name: 'Copy selection' }).click()
  await expect(page.getByText('Copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Welcome')
  await searchBar(page).getByRole('button', { name: 'Close' }).click()
  await expect(screen(page).getByRole('textbox')).toBeFocused()
  // Ctrl+C goes to the guest again.
  await page.keyboard.press('Control+c')
  await expect(line(page, '^C')).toBeVisible()
})

test('finds the first of thousands of lines @long', async ({ page }) => {
  await page.keyboard.type('seq 4900\n')
  await expect(line(page, /^4900/)).toBeVisible()
  const found = await find(page, 'Welcome to wheel')
  await expect(found).toHaveText('1 of 1')
  await expect(line(page, 'Welcome to wheel')).toBeVisible()
  await searchBar(page).getByRole('textbox').fill('4900')
  await expect(found).toHaveText('2 of 2')
  // Leaving the page while it is open causes no error.
  await page.getByRole('link', { name: 'Back to instance' }).click()
  await expect(page).toHaveURL(/\/storage$/)
})
