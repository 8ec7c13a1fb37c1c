/**
 * `npm run figures [-- <commit>]`: the size of the project, beside that of another commit. Lines of
 * TypeScript and styles that people write; generated files are left out.
 */
import { execFileSync } from 'node:child_process'
import { root } from './processes.ts'

/** Area → the paths that belong to it. */
const areas: Record<string, RegExp> = {
  'contract (packages/api)': /^packages\/api\/src\//,
  'control plane': /^packages\/control-plane\/src\//,
  console: /^packages\/console\/(src|early|gallery)\//,
  'simulated rack': /^packages\/simulator\/src\//,
  'libvirt engine': /^packages\/libvirt\/src\//,
  'Node host': /^packages\/node\/src\//,
  'other packages': /^packages\/[^/]+\/src\//,
  'tests of packages': /^packages\/[^/]+\/test\//,
  'browser tests': /^e2e\//,
  'example kind': /^docs\/adding-a-kind\//,
  'scripts and the rest': /./,
}
const isWritten = (path: string): boolean =>
  /\.(tsx?|mjs|css)$/.test(path) && !/\/generated\/|\/page-paths\.ts$|\.gen\.ts$/.test(path)

interface Size {
  files: number
  lines: number
}

const SMALL_LINES = 25
const AREA_WIDTH = 26

/** @param commit empty for the files of the checkout */
function sizesOf(commit: string): Map<string, Size> {
  const args = commit === '' ? ['--untracked', ''] : ['', commit]
  const counted = execFileSync('git', ['grep', '-cI', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const sizes = new Map<string, Size>()
  const add = (area: string, lines: number) => {
    const { files = 0, lines: before = 0 } = sizes.get(area) ?? {}
    sizes.set(area, { files: files + 1, lines: before + lines })
  }
  for (const line of counted.trim().split('\n')) {
    const [, path, count] = /^(?:[0-9a-f]+:)?([^:]+):(\d+)$/.exec(line) ?? []
    if (path === undefined || !isWritten(path)) continue
    const [area] = Object.entries(areas).find(([, of]) => of.test(path))!
    add(area, Number(count))
    add('all', Number(count))
    if (Number(count) <= SMALL_LINES && !/\/test\/|^e2e/.test(path)) {
      add(`of ${SMALL_LINES} lines or fewer`, Number(count))
    }
  }
  return sizes
}

const [given] = process.argv.slice(2)
const commit = given && execFileSync('git', ['rev-parse', given], { cwd: root, encoding: 'utf8' })
const now = sizesOf('')
const before = commit ? sizesOf(commit.trim()) : undefined
console.log(
  `${''.padEnd(AREA_WIDTH)}  files    lines${before ? '   files before  lines before' : ''}`,
)
for (const area of [...Object.keys(areas), 'all', `of ${SMALL_LINES} lines or fewer`]) {
  const { files, lines } = now.get(area) ?? { files: 0, lines: 0 }
  const other = before?.get(area)
  const beside = before
    ? `${String(other?.files ?? 0).padStart(15)}${String(other?.lines ?? 0).padStart(14)}`
    : ''
  console.log(
    `${area.padEnd(AREA_WIDTH)}${String(files).padStart(7)}${String(lines).padStart(9)}${beside}`,
  )
}
