/**
 * Runs CONTRIBUTING's example: adds the kind of `docs/adding-a-kind` to a copy of the project, in
 * its own folders, with a migration and a few lines in four files.
 */
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const copy = mkdtempSync(join(tmpdir(), 'steading-kind-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** The files outside of its own folders that the kind has lines in: after which line comes which. */
const insertions: Record<string, [after: string, line: string][]> = {
  'packages/api/src/kinds/kinds.ts': [
    [
      "import { vpc } from '../networking/vpcs/kind.ts'",
      "import { widget } from '../compute/widgets/kind.ts'",
    ],
    ['export const kinds = named({', '  widget,'],
  ],
  'packages/api/src/operations.ts': [
    [
      "import { vpcOperations } from './networking/vpcs/operations.ts'",
      "import { widgetOperations } from './compute/widgets/operations.ts'",
    ],
    ['export const tables = {', '  widgetOperations,'],
  ],
  'packages/control-plane/src/resources/index.ts': [
    [
      "import { vpc } from './networking/vpcs/kind.ts'",
      "import { widget } from './compute/widgets/kind.ts'",
    ],
    ['const kinds: StoredKinds = {', '  widget,'],
    [
      "import { vpcHandlers } from './networking/vpcs/handlers.ts'",
      "import { widgetHandlers } from './compute/widgets/handlers.ts'",
    ],
    ['  ...vpcHandlers,', '  ...widgetHandlers,'],
  ],
  'packages/control-plane/src/migrations/index.ts': [
    [
      "import { up as baseline } from './baseline.ts'",
      "import { up as widgets } from './2026-12-01-widgets.ts'",
    ],
    ['  [BASELINE]: baseline,', "  '2026-12-01-widgets': widgets,"],
  ],
}

/** Folder of the example → folder in the project. */
const folders = {
  api: 'packages/api/src/compute/widgets',
  'control-plane': 'packages/control-plane/src/resources/compute/widgets',
  migrations: 'packages/control-plane/src/migrations',
}

function copyProject(): void {
  for (const name of [
    'packages',
    'scripts',
    'package.json',
    'tsconfig.base.json',
    'vitest.config.ts',
  ]) {
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist)$/.test(path),
    })
  }
  // Its own packages must not be those of the original.
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, '@steading'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@steading') continue
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of readdirSync(join(copy, 'packages'))) {
    symlinkSync(join(copy, 'packages', name), join(modules, '@steading', name))
  }
}

function addExample(): void {
  const example = join(root, 'docs/adding-a-kind')
  for (const [from, to] of Object.entries(folders)) {
    cpSync(join(example, from), join(copy, to), { recursive: true })
  }
  cpSync(
    join(example, 'widgets.test.ts'),
    join(copy, 'packages/control-plane/test/api/compute/widgets.test.ts'),
  )
  for (const [file, lines] of Object.entries(insertions)) {
    let text = readFileSync(join(copy, file), 'utf8')
    for (const [after, line] of lines) {
      const there = text.split('\n').filter((one) => one === after)
      expect(there, `${file}: ${after}`).toHaveLength(1)
      text = text.replace(`${after}\n`, `${after}\n${line}\n`)
    }
    writeFileSync(join(copy, file), text)
  }
}

/** Runs a program of the project in the copy; fails with all it says. */
async function run(...[program, ...args]: string[]): Promise<void> {
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env
  await promisify(execFile)(program!, args, { cwd: copy, env, maxBuffer: 2 ** 26 }).catch(
    (error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`)
    },
  )
}
const tool = (name: string) => join(root, 'node_modules/.bin', name)

beforeAll(() => {
  copyProject()
  addExample()
})

test('a kind is added in its own folders, a migration and four other files', async () => {
  expect(Object.keys(insertions)).toHaveLength(4)
  await run(process.execPath, 'packages/api/scripts/generate.ts')
  await run(tool('tsc'), '-p', 'packages/control-plane')
  await run(
    process.execPath,
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project=unit',
    '--project=sqlite',
    'test/kinds.test.ts',
    'test/api/compute/widgets.test.ts',
    'test/api/list-plans.test.ts',
  )
})
