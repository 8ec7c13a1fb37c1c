/**
 * `npm run pictures`: takes the pictures of the documentation again, in both themes. Browser tests
 * of the same pages fail when a page is gone.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pictureFolder, shownPictures } from '../docs/site/pictures.ts'
import { run } from './processes.ts'
import { consoleSite, demoSite, refresh } from './sites.ts'

for (const site of [consoleSite, demoSite]) if (!(await refresh(site))) process.exit(1)
const names = shownPictures()
mkdirSync(pictureFolder, { recursive: true })
const titles = names.map((name) => name.replaceAll('-', '.')).join('|')
process.exitCode = await run(
  'playwright',
  ['test', '--config=e2e', 'pages.spec', '--grep', `(${titles}).*: accessible`],
  { STEADING_DOCS_PICTURES: pictureFolder, STEADING_LONG_TESTS: '1' },
)
// A test may look at other pages as well.
for (const file of readdirSync(pictureFolder)) {
  if (!names.includes(file.replace(/-(dark|light)\.webp$/, ''))) rmSync(join(pictureFolder, file))
}
