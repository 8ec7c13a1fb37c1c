/**
 * Reverse proxies in front of a server of a test, with the configurations of the documentation. A
 * program is named by its variable, e.g. `STEADING_NGINX`, or else on the PATH.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { makeCertificate } from '../../../api/test/support/certificates.ts'
import { findProgram, freePort } from '../../../control-plane/test/support/programs.ts'

const pages = ['running.md', 'put-it-behind-nginx.md'].map((name) =>
  join(import.meta.dirname, '../../../../docs/pages', name),
)

interface Program {
  /** Language of the block in the documentation. */
  language: string
  command: string
  args: (file: string, directory: string) => string[]
  /** Makes a whole file of the documented part. */
  whole: (documented: string, files: { cert: string; key: string; directory: string }) => string
}

const programs = {
  nginx: {
    language: 'nginx',
    command: 'nginx',
    args: (file, directory) => ['-e', 'stderr', '-p', directory, '-c', file],
    whole: (documented, { cert, key, directory }) => `
      daemon off;
      master_process off;
      pid ${directory}/pid;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((part) => `${part}_temp_path ${directory}/${part};`).join('\n')}
        ${documented
          .replace(/(ssl_certificate +)\S+;/, `$1${cert};`)
          .replace(/(ssl_certificate_key +)\S+;/, `$1${key};`)}
      }`,
  },
  haproxy: {
    language: 'haproxy',
    command: 'haproxy',
    args: (file) => ['-db', '-f', file],
    whole: (documented, { cert }) => documented.replace(/crt \S+/, `crt ${cert}`),
  },
  caddy: {
    language: 'caddyfile',
    command: 'caddy',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    whole: (documented, { cert, key }) => `{
        admin off
        auto_https off
      }
      ${documented.replace('{', `{\n    tls ${cert} ${key}`)}`,
  },
} satisfies Record<string, Program>

export type ProxyName = keyof typeof programs
export const proxyNames = Object.keys(programs) as ProxyName[]

const variableOf = (name: ProxyName): string => `STEADING_${name.toUpperCase()}`

const find = (name: ProxyName): string | undefined =>
  findProgram(programs[name].command, variableOf(name), ['/usr/sbin'])

/** Reason that a proxy is not available; undefined if it is. */
export const proxyMissing = (name: ProxyName): string | undefined =>
  find(name) ? undefined : `there is no ${name} on the PATH, nor at ${variableOf(name)}`

/** The configuration of a proxy in the documentation. */
export function documentedConfiguration(name: ProxyName): string {
  const block = new RegExp(`\`\`\`${programs[name].language}\n([^]*?)\n\`\`\``)
  return block.exec(pages.map((page) => readFileSync(page, 'utf8')).join('\n'))![1]!
}

export interface ReverseProxy {
  /** With TLS and an untrusted certificate. */
  url: string
  close: () => Promise<void>
}

/**
 * Starts a proxy for `localhost`.
 * @param server address of the server behind it
 * @param change changes the documented configuration
 */
export async function startReverseProxy(
  name: ProxyName,
  server: string,
  change: (documented: string) => string = (documented) => documented,
): Promise<ReverseProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'steading-proxy-'))
  const port = await freePort()
  const { cert, key } = await makeCertificate({ names: ['localhost'] })
  const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem'), directory }
  // HAProxy reads both from one file.
  await writeFile(files.cert, `${cert}\n${key}\n`)
  await writeFile(files.key, key)
  const documented = change(documentedConfiguration(name))
    .replace('127.0.0.1:12220', new URL(server).host)
    .replace(/(listen |bind :)443/, (_, before: string) =>
      before === 'listen ' ? `listen 127.0.0.1:${port}` : `bind 127.0.0.1:${port}`,
    )
    .replace('cloud.example {', `localhost:${port} {`)
    .replace('server_name cloud.example', 'server_name localhost')
  const { whole, args } = programs[name]
  const file = join(directory, 'configuration')
  // HAProxy wants the last line to end.
  await writeFile(file, `${whole(documented, files)}\n`)
  await mkdir(join(directory, 'home'))
  const child = spawn(find(name)!, args(file, directory), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: join(directory, 'home') },
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const exited = once(child, 'exit')
  // Polling is the only way to wait for it.
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended while it started: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return {
    url: `https://localhost:${port}`,
    async close() {
      child.kill('SIGKILL')
      await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(
      { port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false },
      () => {
        socket.destroy()
        resolve(true)
      },
    )
    socket.on('error', () => resolve(false))
  })
