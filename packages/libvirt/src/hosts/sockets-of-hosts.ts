/** Connections to hosts besides libvirt: commands by SSH, and the sockets of machines. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { plainEnvironment } from '@steading/commands'
import {
  type HostShell,
  localShell,
  type SshAddress,
  sshArguments,
  sshShell,
} from '@steading/commands/host-shell'
import { runtimeDirectory } from '../sockets.ts'

/** Time for SSH to connect. Milliseconds. */
const CONNECT_MS = 20_000
const LOOK_MS = 20
/** Characters of the error output of SSH that are kept. */
const ERRORS_MAX = 500

export async function connectTo(path: string): Promise<Socket> {
  const socket = connect(path)
  await once(socket, 'connect')
  return socket
}

/** Where SSH reaches a host, by the address of its libvirt. */
const sshPlace = (address: URL): SshAddress => ({
  host: address.hostname.replace(/^\[(.*)\]$/, '$1'),
  ...(address.username !== '' && { user: address.username }),
  ...(address.port !== '' && { port: Number(address.port) }),
  ...(address.searchParams.has('keyfile') && { key: address.searchParams.get('keyfile')! }),
})

/** The arguments by which SSH forwards a socket of a host to one here. */
export const tunnelArguments = (address: URL, from: string, to: string): string[] =>
  sshArguments(sshPlace(address), ['-N', '-o', 'ExitOnForwardFailure=yes', '-L', `${to}:${from}`])

/** Connects to a socket of a host through SSH, which ends with the connection. */
async function tunnel(address: URL, path: string): Promise<Socket> {
  await mkdir(runtimeDirectory(), { recursive: true, mode: 0o711 })
  const here = join(runtimeDirectory(), `tunnel-${crypto.randomUUID().slice(0, 8)}`)
  const ssh: ChildProcess = spawn('ssh', tunnelArguments(address, path, here), {
    env: plainEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  let ended = false
  ssh.stderr!.setEncoding('utf8')
  ssh.stderr!.on('data', (text: string) => void (errors = (errors + text).slice(-ERRORS_MAX)))
  ssh.once('error', (error) => {
    errors = error.message
    ended = true
  })
  ssh.once('exit', () => void (ended = true))
  try {
    // SSH makes the socket once it is connected.
    for (let waited = 0; ; waited += LOOK_MS) {
      const socket = await connectTo(here).catch(() => undefined)
      if (socket) {
        socket.once('close', () => ssh.kill())
        return socket
      }
      if (ended) throw new Error(`SSH has ended: ${errors.trim()}`)
      if (waited > CONNECT_MS) throw new Error('SSH does not connect')
      await pause(LOOK_MS)
    }
  } catch (error) {
    ssh.kill()
    throw error
  } finally {
    await rm(here, { force: true })
  }
}

/**
 * Connects to a socket of a host.
 * @param address of libvirt of the host
 */
export async function connectAt(address: string, path: string): Promise<Socket> {
  const url = new URL(address)
  if (url.protocol === 'qemu+ssh:') return tunnel(url, path)
  if (url.protocol === 'qemu+tls:') {
    throw new Error(
      'screens and keyboards of a host are reached by SSH, and its address is qemu+tls',
    )
  }
  return connectTo(path)
}

/**
 * Runs commands on a host; undefined if it is not reached by SSH.
 * @param address of its libvirt
 */
export function shellAt(address: string): HostShell | undefined {
  const url = new URL(address)
  if (url.protocol === 'qemu+ssh:') return sshShell(sshPlace(url))
  return url.protocol === 'qemu+tls:' ? undefined : localShell
}
