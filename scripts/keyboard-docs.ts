/** Writes `docs/keyboard.md` from the table of shortcuts. `--check` only compares. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  keyCaps,
  shortcutGroups,
  shortcutsOf,
} from '../packages/console/src/ui/keyboard/shortcut-labels.ts'
import { root } from './processes.ts'

const path = join(root, 'docs/keyboard.md')

const keysOf = (keys: readonly string[]): string =>
  keys
    .map((way) =>
      keyCaps(way, 'ctrl or cmd')
        .map((key) => `\`${key}\``)
        .join(' '),
    )
    .join(' or ')

const sections = shortcutGroups.map((group) => {
  const lines = shortcutsOf(group).map(({ keys, does }) => `- ${keysOf(keys)}: ${does}`)
  return `## ${group}\n\n${lines.join('\n')}\n`
})
const text = `# Keyboard

Shortcuts work outside of fields, menus, dialogs and the serial console; those with \`ctrl\` or \`cmd\` everywhere but in the serial console. Two keys are pressed one after the other. \`npm run generate\` writes this page from \`packages/console/src/ui/keyboard/shortcut-labels.ts\`.

${sections.join('\n')}`

let before = ''
try {
  before = readFileSync(path, 'utf8')
} catch {
  // Not generated yet.
}
if (before !== text && process.argv.includes('--check')) {
  console.error('docs/keyboard.md is stale. Run `npm run generate`.')
  process.exit(1)
}
if (before !== text) writeFileSync(path, text)
