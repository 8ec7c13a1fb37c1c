/** Programs whose server is killed. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const module = join(import.meta.dirname, '../src/volumes/run-program.ts')

/** The processes that a process has started. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
const isGone = (pid: number): boolean => {
  try {
    // A zombie has ended.
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

test.skipIf(!existsSync('/usr/bin/setpriv'))(
  'a program of QEMU ends with the server that is killed',
  async () => {
    const code = `import(${JSON.stringify(module)}).then((all) => all.runProgram('sleep', ['600'], { memory: 1e9 }))`
    const server = spawn(process.execPath, ['--eval', code], { stdio: 'ignore' })
    const [program] = await vi.waitFor(() => {
      const children = childrenOf(server.pid!)
      expect(readFileSync(`/proc/${children[0]}/comm`, 'utf8')).toBe('sleep\n')
      return children
    }, 60_000)
    server.kill('SIGKILL')
    await vi.waitFor(() => expect(isGone(program!)).toBe(true), 60_000)
  },
)
