import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { heading } from './ui.ts'

const folder = process.env.STEADING_PICTURES

export const DESK = { width: 1440, height: 900 }
const SIZES = {
  desk: DESK,
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
}

/**
 * Takes pictures of a page in both themes, on a desktop, a tablet and a phone, if `STEADING_PICTURES`
 * names a folder for them. They are for people to look at; no test compares them.
 *
 * @param height of the window, for a page to be shown as a whole
 */
export async function takePictures(page: Page, name: string, height?: number): Promise<void> {
  if (!folder) return
  const theme = await page.locator('html').getAttribute('data-theme')
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize({ ...viewport, height: height ?? viewport.height })
    for (const each of ['dark', 'light']) {
      await page.evaluate((value) => (document.documentElement.dataset.theme = value), each)
      const path = join(folder, `${name.replaceAll(' ', '-')}-${size}-${each}.png`)
      await page.screenshot({ path, animations: 'disabled' })
    }
  }
  await page.evaluate((value) => (document.documentElement.dataset.theme = value), theme ?? 'dark')
}

const docs = process.env.STEADING_DOCS_PICTURES

export const takesPictures = Boolean(folder ?? docs)

/** Size of the pictures in the documentation. */
const DOCS_SIZE = { width: 1200, height: 720 }

/** Converts a picture to the smallest format, using the browser. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  // The console's content security policy does not permit pictures from memory.
  const blank = await page.context().newPage()
  const url = await blank.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')!.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.8)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await blank.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

/** Takes the pictures of the documentation, if requested by `npm run pictures`. */
export async function takeDocsPictures(page: Page, name: string): Promise<void> {
  if (!docs) return
  const before = await page.locator('html').getAttribute('data-theme')
  await page.setViewportSize(DOCS_SIZE)
  for (const theme of ['dark', 'light']) {
    await page.evaluate((value) => (document.documentElement.dataset.theme = value), theme)
    const png = await page.screenshot({ animations: 'disabled' })
    const path = join(docs, `${name.replaceAll(' ', '-')}-${theme}.webp`)
    await writeFile(path, await asWebp(page, png))
  }
  await page.evaluate((value) => (document.documentElement.dataset.theme = value!), before)
}

/** Takes pictures of a page, and restores its desktop width. */
export async function picture(page: Page, name: string, height?: number): Promise<void> {
  await takePictures(page, name, height)
  await page.setViewportSize(DESK)
}

export async function openAtDesk(page: Page, path: string, title: string): Promise<void> {
  await page.setViewportSize(DESK)
  await page.goto(path)
  await expect(heading(page, title)).toBeVisible()
}
