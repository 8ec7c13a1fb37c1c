/** Commands of this host and of another one, which an `sshd` on a port of this one stands for. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  hostShell,
  type HostShell,
  localShell,
  quoted,
  sshAddress,
  sshShell,
} from '../src/host-shell.ts'

/** Words that a shell would take for something else. */
const words = ['', 'a b', '$HOME `id` $(id)', `it's "so"`, '*', '-n', 'two\nlines', 'a;b|c&d', '\\']

test('quoted words are the same in a shell', () => {
  const script = `printf '%s\\0' ${words.map(quoted).join(' ')}`
  expect(spawnSync('sh', ['-c', script]).stdout.toString()).toBe(words.join('\0') + '\0')
})

test.each([
  ['ssh://edge0', { host: 'edge0' }],
  ['ssh://root@edge0.example:2222', { host: 'edge0.example', user: 'root', port: 2222 }],
  ['ssh://root@[2001:db8::1]:22', { host: '2001:db8::1', user: 'root', port: 22 }],
  ['ssh://-oProxyCommand=id', undefined],
  ['ssh://-l@edge0', undefined],
  ['ssh://edge0:70000', undefined],
  ['ssh://edge0/path', undefined],
  ['ssh://two words', undefined],
  ['edge0', undefined],
])('the address %s', (text, address) => {
  expect(sshAddress(text)).toEqual(address)
  expect(hostShell(text) === undefined).toBe(address === undefined)
})

/** What any shell of a host does. */
function shellTests(shell: () => HostShell): void {
  test('words reach a command as they are, and its input too', async () => {
    const output = await shell().run('sh', ['-c', 'cat; printf "%s\\0" "$@"', 'sh', ...words], {
      ms: 120_000,
      input: 'from outside\n',
    })
    expect(output).toBe(`from outside\n${words.join('\0')}\0`)
  })

  test('a command that fails is reported by its last words', async () => {
    const failing = shell().run('sh', ['-c', 'echo no such luck >&2; exit 3'], { ms: 120_000 })
    await expect(failing).rejects.toThrow(/: sh: no such luck$/)
    await expect(shell().run('false', [], { ms: 120_000 })).rejects.toThrow('false: it failed (1)')
  })

  test('a command that does not end is ended, with what it started', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'steading-shell-'))
    try {
      const pid = join(directory, 'pid')
      const script = `sleep 600 & echo $! >${pid}; wait`
      await expect(shell().run('sh', ['-c', script], { ms: 500 })).rejects.toThrow(
        'no end in 0.5 s',
      )
      // Waits for its end, however long that takes.
      const watch = `while grep -sq ^sleep /proc/$(cat ${pid})/cmdline; do :; done`
      expect(spawnSync('sh', ['-c', watch]).status).toBe(0)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
}

describe('this host', () => {
  shellTests(() => localShell)
})

/** Why no other host can be stood for; undefined if it can. */
function sshMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can run sshd'
  const missing = ['/usr/sbin/sshd', 'ssh', 'ssh-keygen'].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  return missing.length > 0 ? `${missing.join(', ')} not found` : undefined
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.skipIf(sshMissing())('another host', () => {
  let shell: HostShell
  let end: () => void
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'steading-ssh-'))
    const port = await freePort()
    for (const key of ['host', 'user']) {
      await promisify(execFile)('ssh-keygen', [
        '-qt',
        'ed25519',
        '-N',
        '',
        '-f',
        join(directory, key),
      ])
    }
    writeFileSync(
      join(directory, 'sshd_config'),
      [
        `HostKey ${directory}/host`,
        `AuthorizedKeysFile ${directory}/user.pub`,
        `PidFile ${directory}/pid`,
        'StrictModes no',
        'PermitRootLogin prohibit-password',
        'UsePAM no',
      ].join('\n'),
    )
    spawnSync('mkdir', ['-p', '/run/sshd'])
    const listening = ['-D', '-e', '-p', String(port), '-o', 'ListenAddress=127.0.0.1']
    const server = spawn('/usr/sbin/sshd', ['-f', join(directory, 'sshd_config'), ...listening], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await new Promise<void>((resolve) =>
      server.stderr!.on('data', (text) => String(text).includes('listening') && resolve()),
    )
    // The home of the user is left alone.
    writeFileSync(
      join(directory, 'ssh_config'),
      `IdentityFile ${directory}/user\nUserKnownHostsFile ${directory}/known\nStrictHostKeyChecking accept-new\n`,
    )
    shell = sshShell({ host: '127.0.0.1', user: 'root', port }, join(directory, 'ssh_config'))
    end = () => {
      server.kill()
      rmSync(directory, { recursive: true })
    }
  })
  afterAll(() => end())

  shellTests(() => shell)
})
