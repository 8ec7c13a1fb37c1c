/** Part of `npm run check`: builds the console, and fails if a page begins with too much code. */
import { join } from 'node:path'
import {
  ANY_PAGE,
  ANY_PAGE_FILES,
  FIRST_LIST,
  FIRST_LIST_FILES,
  pageWeights,
} from '../packages/console/early/weight.ts'
import { buildSite, consoleSite, isStale } from './sites.ts'

// Not `refresh`, which would generate what other checks compare.
if (isStale(consoleSite)) await buildSite(consoleSite)
const LIST = '/projects/$project/instances'
const weights = pageWeights(join(consoleSite.directory, 'dist'))
if (!weights.some(({ path }) => path === LIST)) throw new Error(`The build has no page ${LIST}`)
const heavy = weights.filter(({ path, files, bytes }) => {
  const isFirst = path === LIST
  return (
    bytes > (isFirst ? FIRST_LIST : ANY_PAGE) ||
    files.length > (isFirst ? FIRST_LIST_FILES : ANY_PAGE_FILES)
  )
})
for (const { path, files, bytes } of heavy) {
  console.error(
    `${path} begins with ${bytes} bytes of code in ${files.length} files, more than permitted in packages/console/early/weight.ts.`,
  )
}
process.exitCode = heavy.length > 0 ? 1 : 0
