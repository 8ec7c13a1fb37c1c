/**
 * The block layer of QEMU as a running guest has it: it has the file of a volume open, writes to it,
 * and is moved to another layer by the command of its monitor that libvirt uses.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, vi } from 'vitest'
import { NbdConnection } from '../../src/native/nbd.ts'

/** A line that a monitor of QEMU says. */
interface Answer {
  error?: { desc: string }
  event?: string
  /** The greeting. */
  QMP?: object
}

/** A monitor of QEMU. */
async function openMonitor(path: string) {
  let socket: Socket | undefined
  await vi.waitFor(
    async () => {
      const candidate = connect(path)
      await once(candidate, 'connect')
      socket = candidate
    },
    { timeout: 120_000 },
  )
  const lines = createInterface({ input: socket! })[Symbol.asyncIterator]()
  const answer = async (): Promise<Answer> => {
    for (;;) {
      const { value } = await lines.next()
      const message = JSON.parse(String(value)) as Answer
      if (!message.event && !message.QMP) return message
    }
  }
  const run = async (execute: string, args: object = {}): Promise<void> => {
    socket!.write(`${JSON.stringify({ execute, arguments: args })}\n`)
    const { error } = await answer()
    if (error) throw new Error(error.desc)
  }
  await run('qmp_capabilities')
  return { run, close: () => socket!.destroy() }
}

export interface Guest {
  write: (offset: number, data: Uint8Array) => Promise<void>
  /** Continues with another layer; nothing if it has done so already. */
  advance: (overlay: string) => Promise<void>
  /** Makes its disk larger, while it has it open. */
  resize: (size: number) => Promise<void>
  /** Ends at once, as by a power failure. */
  kill: () => Promise<void>
}

/** @param home a directory with a short path */
export async function startGuest(home: string, path: string): Promise<Guest> {
  const disk = join(home, 'disk')
  const monitor = join(home, 'monitor')
  const daemon: ChildProcess = spawn(
    'qemu-storage-daemon',
    [
      ['--chardev', `socket,id=m,path=${monitor},server=on,wait=off`],
      ['--monitor', 'chardev=m'],
      ['--blockdev', `driver=qcow2,node-name=layer0,file.driver=file,file.filename=${path}`],
      ['--blockdev', 'driver=raw,node-name=disk,file=layer0'],
      ['--nbd-server', `addr.type=unix,addr.path=${disk}`],
      ['--export', 'type=nbd,id=e,node-name=disk,name=,writable=on'],
    ].flat(),
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = once(daemon, 'exit')
  const qmp = await openMonitor(monitor)
  let connection = await NbdConnection.connect(disk)
  let current = path
  let layers = 0
  return {
    write: (offset, data) => connection.write(offset, data),
    async advance(overlay) {
      if (current === overlay) return
      const node = `layer${layers + 1}`
      await qmp.run('blockdev-add', {
        driver: 'qcow2',
        'node-name': node,
        file: { driver: 'file', filename: overlay },
        backing: null,
      })
      await qmp.run('blockdev-snapshot', { node: `layer${layers}`, overlay: node })
      layers++
      current = overlay
    },
    async resize(size) {
      // Unlike the device of a guest, an NBD server permits no other size.
      await connection.close()
      await qmp.run('block-export-del', { id: 'e', mode: 'hard' })
      await vi.waitFor(() => qmp.run('block_resize', { 'node-name': 'disk', size }), {
        timeout: 60_000,
      })
      const nbd = { type: 'nbd', id: 'e', 'node-name': 'disk', name: '', writable: true }
      await qmp.run('block-export-add', nbd)
      connection = await NbdConnection.connect(disk)
    },
    async kill() {
      daemon.kill('SIGKILL')
      await ended
      qmp.close()
      await connection.close()
      expect(daemon.signalCode).toBe('SIGKILL')
    },
  }
}
