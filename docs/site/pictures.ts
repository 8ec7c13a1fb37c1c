/** Pictures in the pages: names of pages in `e2e/tests/pages.spec.ts`, with hyphens. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const pictureFolder = join(import.meta.dirname, '../pictures')

export function shownPictures(): string[] {
  const folder = join(import.meta.dirname, '../pages')
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^!\[[^\]]*\]\(([\w-]+)\)$/gm)].map(([, name]) => name!),
  )
  return [...new Set(names)].toSorted()
}
