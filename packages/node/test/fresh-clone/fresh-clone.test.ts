/** First minutes of a new user: clone, the README's first command, sign in. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const home = mkdtempSync(join(tmpdir(), 'steading-clone-'))
// Tens of thousands of files may take a busy disk more than a minute.
afterAll(() => rmSync(home, { recursive: true, force: true }), 300_000)

/** PATH without the tools of this checkout: the clone must bring its own. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((directory) => !directory.startsWith(root))
  .join(delimiter)

test('a fresh clone installs, builds, runs and lets its administrator sign in', async () => {
  const clone = join(home, 'steading')
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone])
  const command = /```sh\n(.+ start)\n```/.exec(readFileSync(join(clone, 'README.md'), 'utf8'))![1]!
  const child = spawn('sh', ['-c', command], {
    cwd: clone,
    env: {
      PATH: path,
      HOME: process.env.HOME,
      STEADING_PORT: '0',
      STEADING_PASSWORD_COST: 'm=1024,t=1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stderr.on('data', (chunk) => (output += chunk))
  let url: string | undefined
  let password: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`
    url ??= /running at (http:\/\/\S+)/.exec(line)?.[1]
    password ??= /password (\S+) \(shown only now\)/.exec(line)?.[1]
    if (url && password) break
  }
  expect(url, output).toBeDefined()
  try {
    const page = await fetch(`${url}/login/main/local`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<div id="root">')
    const login = await fetch(`${url}/v1/login/main/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
    expect(login.status).toBe(204)
  } finally {
    // The shell exits first; the output is closed by the last process it started.
    const ended = once(child, 'close')
    process.kill(-child.pid!, 'SIGTERM')
    child.stdout.resume()
    await ended
  }
})
