/** Screens of machines: the VNC server that QEMU has on a Unix socket. */
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import { type Displays, DisplayUnavailable } from '@steading/control-plane/ports'
import type { MachineFiles } from './files.ts'
import type { Libvirt } from './native/libvirt.ts'
import { readPpm, writePng } from './png.ts'
import type { Rows } from './rows.ts'
import { isAtRest } from './state.ts'

/** Why there is no screen. */
const GONE = 'the machine is not running'
const ELSEWHERE = 'the machine runs on another host'
const SILENT = 'the machine does not show its screen at present'

/**
 * @param serial of this host
 * @param local libvirt and the files of this host
 */
export function createDisplays(
  rows: Pick<Rows, 'load'>,
  serial: string,
  local: () => Promise<{ libvirt: Pick<Libvirt, 'screenshot'>; files: Pick<MachineFiles, 'of'> }>,
): Displays {
  /** The pictures being taken; those who ask meanwhile get the same one. */
  const taken = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

  /** @throws DisplayUnavailable if the machine does not run on this host */
  const requireHere = async (id: string): Promise<void> => {
    const row = await rows.load(id)
    if (!row || isAtRest(row) || row.wanted === 'destroy') throw new DisplayUnavailable(GONE)
    if (row.host !== serial) throw new DisplayUnavailable(ELSEWHERE)
  }

  const take = async (id: string): Promise<Uint8Array<ArrayBuffer>> => {
    const picture = await (await local()).libvirt.screenshot(id)
    if (!picture) throw new DisplayUnavailable(GONE)
    return picture.type === 'image/png' ? picture.data : writePng(readPpm(picture.data))
  }

  return {
    async open(id) {
      await requireHere(id)
      const socket = connect((await local()).files.of(id).vncSocket)
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('error', (cause) => reject(new DisplayUnavailable(SILENT, { cause })))
      })
      return Duplex.toWeb(socket) as Awaited<ReturnType<Displays['open']>>
    },
    async screenshot(id) {
      await requireHere(id)
      let picture = taken.get(id)
      if (!picture) {
        picture = take(id).finally(() => taken.delete(id))
        taken.set(id, picture)
      }
      return picture
    },
  }
}
