/**
 * Starts the libvirt of the system for tests that run as root, unless it runs already. The libvirt of
 * another user starts by itself.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const daemons = [
  { program: '/usr/sbin/virtlogd', socket: '/run/libvirt/virtlogd-sock' },
  { program: '/usr/sbin/libvirtd', socket: '/run/libvirt/libvirt-sock' },
]

const answers = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const client = connect(socket)
    client.once('connect', () => {
      client.end()
      resolve(true)
    })
    client.once('error', () => resolve(false))
  })

export default async function setup(): Promise<() => Promise<void>> {
  const started: ChildProcess[] = []
  if (process.getuid?.() === 0) {
    for (const { program, socket } of daemons) {
      if (await answers(socket)) continue
      const daemon = spawn(program, { stdio: 'ignore' })
      started.push(daemon)
      while (daemon.exitCode === null && !(await answers(socket))) await wait(50)
      if (daemon.exitCode !== null) throw new Error(`${program} did not start.`)
    }
  }
  return async () => {
    for (const daemon of started.toReversed()) {
      if (daemon.exitCode !== null || daemon.signalCode !== null) continue
      const ended = once(daemon, 'exit')
      daemon.kill()
      await ended
    }
  }
}
