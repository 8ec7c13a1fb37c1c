import type { Page } from '@playwright/test'
import { line, openConsole, runningInstance, screen } from '../../../support/terminal.ts'
import { expect, test } from '../../../support/test.ts'

test.beforeEach(async ({ page, project, seed }) => {
  await runningInstance(project.name, seed)
  await openConsole(page)
})

const read = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const write = (page: Page, text: string) =>
  page.evaluate((copied) => navigator.clipboard.writeText(copied), text)

/** Selects a word on the screen by mouse, which also copies it. */
async function selectWord(page: Page, word: string): Promise<void> {
  const painted = screen(page).locator('.xterm-rows > div').filter({ hasText: word }).last()
  const { x, y } = await painted.evaluate((row, wanted) => {
    const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      const start = text.data.indexOf(wanted)
      if (start === -1) continue
      const range = document.createRange()
      range.setStart(text, start)
      range.setEnd(text, start + wanted.length)
      const box = range.getBoundingClientRect()
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }
    throw new Error(`${wanted} is painted in pieces`)
  }, word)
  await page.mouse.dblclick(x, y)
  await expect.poll(() => read(page), { intervals: [20] }).toBe(word)
}

test('Ctrl+C copies the selection, and goes to the guest without one @long', async ({ page }) => {
  await selectWord(page, 'machine')
  await expect(page.getByText('Copied')).toBeVisible()
  await write(page, 'something else')
  await page.keyboard.press('Control+c')
  await expect.poll(() => read(page)).toBe('machine')
  await expect(line(page, '^C')).toHaveCount(0)
  await page.keyboard.press('Control+c')
  await expect(line(page, '^C')).toHaveCount(1)

  // Always copies, never interrupts.
  await page.keyboard.press('Control+Shift+C')
  await expect(line(page, '^C')).toHaveCount(1)
  await selectWord(page, 'lists')
  await write(page, 'something else')
  await page.keyboard.press('Control+Shift+C')
  await expect.poll(() => read(page)).toBe('lists')
})

test('without a selection the button copies the screen @long', async ({ page }) => {
  await page.keyboard.type('seq 3\n')
  await expect(line(page, /^3/)).toBeVisible()
  await page.getByRole('button', { name: 'Copy screen' }).click()
  await expect(page.getByText('Copied')).toBeVisible()
  expect(await read(page)).toMatch(/^Steading simulated[^]*wheel:~# seq 3\n1\n2\n3\nwheel:~#$/)
})

test('Ctrl+Shift+V pastes, line by line @long', async ({ page }) => {
  await write(page, 'printf one\\n\nprintf two\\n\n')
  await page.keyboard.press('Control+Shift+V')
  await expect(line(page, /^one/)).toBeVisible()
  await expect(line(page, /^two/)).toBeVisible()
})

test('a guest with bracketed paste is told where pasted text begins @long', async ({ page }) => {
  await page.keyboard.type('printf \\e[?2004h\n')
  await expect(line(page, /^wheel:~#/)).toHaveCount(2)
  await write(page, 'seq 2\nseq 3')
  await page.getByRole('button', { name: 'Paste' }).click()
  // The simulated guest's shell takes the mark for keys, and so displays it.
  await expect(line(page, '^[[200~seq 2')).toBeVisible()
  await expect(line(page, 'seq 3^[[201~')).toBeVisible()
  await expect(screen(page).getByRole('textbox')).toBeFocused()
})

test('a long text is pasted completely @long', async ({ page }) => {
  await write(page, `${'x'.repeat(200_000)}END`)
  await page.getByRole('button', { name: 'Paste' }).click()
  await expect(line(page, /xEND/)).toBeVisible()
})
