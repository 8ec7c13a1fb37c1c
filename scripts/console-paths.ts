/**
 * `npm run generate`: writes the paths of the console's pages and the entries of its sidebars, from
 * its routes; `--check` only compares.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadRouteFacts } from '../packages/console/early/load-page-reads.ts'
import { root } from './processes.ts'

const navEntries = 'packages/console/src/shell/nav-entries.gen.ts'
// The console's modules import it, so it has to be there before they are run.
if (!existsSync(join(root, navEntries))) {
  writeFileSync(join(root, navEntries), 'export const navEntries = {}\n')
}
const { pages, nav } = await loadRouteFacts()

const entries = Object.values(nav).flat()
const icons = [...new Set(entries.map(({ icon }) => icon))].toSorted()
/** An object as code. JSON leaves out what is undefined. */
const asCode = ({ icon, ...entry }: (typeof entries)[number]): string =>
  JSON.stringify(entry).replace('{', `{ "icon": ${icon}, `)

const sources = {
  'packages/api/src/rules/page-paths.ts': `// Generated from the console's routes by \`npm run generate\`.
export const consolePaths = [
${pages.map(({ path }) => `  '${path.replace(/(.)\/$/, '$1')}',`).join('\n')}
] as const
`,
  [navEntries]: `// Generated from the console's routes by \`npm run generate\`.
import {
${icons.map((icon) => `  ${icon},`).join('\n')}
} from 'lucide-react'
import type { NavEntry, NavFrame } from './nav-entry.ts'

export const navEntries: Record<NavFrame, readonly NavEntry[]> = {
${Object.entries(nav)
  .map(
    ([frame, own]) =>
      `  ${frame}: [\n${own.map((entry) => `    ${asCode(entry)},\n`).join('')}  ],`,
  )
  .join('\n')}
}
`,
}

for (const [file, source] of Object.entries(sources)) {
  const target = join(root, file)
  if (!process.argv.includes('--check')) writeFileSync(target, source)
  else if (readFileSync(target, 'utf8') !== source) {
    console.error(`${file} is stale. Run \`npm run generate\`.`)
    process.exitCode = 1
  }
}
