/** Screens of machines: the VNC server that QEMU has on a Unix socket. */
import { Duplex } from 'node:stream'
import { type Displays, DisplayUnavailable } from '@steading/control-plane/ports'
import type { Host, HostSet } from './hosts/host-set.ts'
import { readPpm, writePng } from './png.ts'
import type { Rows } from './rows.ts'
import { isAtRest } from './state.ts'

/** Why there is no screen. */
const GONE = 'the machine is not running'
const ELSEWHERE = 'the machine runs on another host'
const SILENT = 'the machine does not show its screen at present'

/** @param hosts of which there are machines */
export function createDisplays(
  rows: Pick<Rows, 'load'>,
  hosts: Pick<HostSet, 'has' | 'of'>,
): Displays {
  /** The pictures being taken; those who ask meanwhile get the same one. */
  const taken = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

  /** @throws DisplayUnavailable if the machine does not run on a host that is reached */
  const hostOf = async (id: string): Promise<Host> => {
    const row = await rows.load(id)
    if (!row || isAtRest(row) || row.wanted === 'destroy') throw new DisplayUnavailable(GONE)
    if (!hosts.has(row.host)) throw new DisplayUnavailable(ELSEWHERE)
    return hosts.of(row.host)
  }

  const take = async (id: string): Promise<Uint8Array<ArrayBuffer>> => {
    const picture = await (await hostOf(id)).libvirt.screenshot(id)
    if (!picture) throw new DisplayUnavailable(GONE)
    return picture.type === 'image/png' ? picture.data : writePng(readPpm(picture.data))
  }

  return {
    async open(id) {
      const host = await hostOf(id)
      const socket = await host.openScreen(id).catch((cause: unknown) => {
        throw new DisplayUnavailable(SILENT, { cause })
      })
      return Duplex.toWeb(socket) as Awaited<ReturnType<Displays['open']>>
    },
    async screenshot(id) {
      await hostOf(id)
      let picture = taken.get(id)
      if (!picture) {
        picture = take(id).finally(() => taken.delete(id))
        taken.set(id, picture)
      }
      return picture
    },
  }
}
