/**
 * `npm run generate`: writes the paths of the console's pages, from its routes; `--check` only
 * compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPageReads } from '../packages/console/early/load-page-reads.ts'
import { root } from './processes.ts'

const target = join(root, 'packages/api/src/rules/page-paths.ts')
const pages = await loadPageReads()
const source = `// Generated from the console's routes by \`npm run generate\`.
export const consolePaths = [
${pages.map(({ path }) => `  '${path.replace(/(.)\/$/, '$1')}',`).join('\n')}
] as const
`

if (!process.argv.includes('--check')) writeFileSync(target, source)
else if (readFileSync(target, 'utf8') !== source) {
  console.error('The addresses of the pages are stale. Run `npm run generate`.')
  process.exit(1)
}
