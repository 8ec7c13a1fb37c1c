/** Whether tests can have a host without root here, and the user who has it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { RootlessProblem } from '../../src/index.ts'

/** The module with the package. */
export const sources = join(import.meta.dirname, '../../src/index.ts')

export interface User {
  uid: number
  gid: number
  name: string
}

/** The user named by the environment, where the tests run as root. */
export function ordinaryUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const name = process.env.STEADING_ORDINARY_USER
  if (!name) return undefined
  const id = (option: string) => Number(execFileSync('id', [option, name], { encoding: 'utf8' }))
  return { name, uid: id('-u'), gid: id('-g') }
}

const runAs = (user: User | undefined) => (user ? { uid: user.uid, gid: user.gid } : {})

/** Why no host without root can be tried here, in a few words; undefined if it can. */
export function rootlessMissing(): string | undefined {
  if (process.env.STEADING_WITHOUT_ROOTLESS) return process.env.STEADING_WITHOUT_ROOTLESS
  if (process.platform !== 'linux') return 'this is not Linux'
  const user = ordinaryUser()
  if (process.getuid?.() === 0 && !user) {
    return 'the user is root, and STEADING_ORDINARY_USER names no other one'
  }
  if (!/^v2[4-9]/.test(process.version)) return 'this Node does not run TypeScript'
  const script = `import { rootlessProblems } from ${JSON.stringify(sources)}
    console.log(JSON.stringify((await rootlessProblems()).filter(({ prevents }) => prevents)))`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '-e', script],
    { encoding: 'utf8', ...environment(user, '/nonexistent') },
  )
  if (status !== 0) return `the user cannot run the program: ${stderr.trim().split('\n').at(-1)}`
  const problems = JSON.parse(stdout) as RootlessProblem[]
  if (problems.length === 0) return undefined
  return problems.map(({ problem, remedy }) => `${problem} (${remedy})`).join(', ')
}

/** Options of the processes of the user. */
export const environment = (user: User | undefined, home: string) => ({
  ...runAs(user),
  cwd: '/',
  env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: join(home, 'r') },
})
