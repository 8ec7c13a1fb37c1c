import type { tables } from '@steading/api'
import { parseTaken, instanceRefusal, positionFrame } from '@steading/api/rules'
import { uint8ArrayToBase64 } from 'uint8array-extras'
import type { ConsoleLine, ConsoleStart, ConsoleViewer } from '../../../kernel/ports/consoles.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import type { Socket, SocketHandler } from '../../../kernel/sockets.ts'
import type { InstanceRow } from './wire.ts'

/**
 * The id of the VM whose serial console can be opened.
 * @throws ApiError 400 in states without a serial console
 */
function consoleVm(row: InstanceRow): string {
  const refusal = instanceRefusal('serialConsole', row.run_state, row.vm_id !== null)
  if (refusal) throw new ApiError(refusal)
  return row.vm_id!
}

/** A viewer on a WebSocket of `/v1`, which gets only bytes. */
const plainViewer = (socket: Socket): ConsoleViewer => ({
  write: socket.send,
  resumeAt: () => {},
  pending: socket.buffered,
  close: socket.close,
})

/** A viewer that gets the offsets of its output, and reports how much it has received. */
function followingViewer(socket: Socket) {
  let sent = 0
  let taken = 0
  const viewer: ConsoleViewer = {
    ...plainViewer(socket),
    write(data) {
      sent += data.length
      socket.send(data)
    },
    resumeAt: (position) => socket.send(positionFrame(position)),
    pending: () => Math.max(socket.buffered(), sent - taken),
  }
  return {
    viewer,
    hear(text: string) {
      taken = Math.max(taken, Math.min(sent, parseTaken(text) ?? 0))
    },
  }
}

type StreamId = 'instance_serial_console_stream' | 'serial_console_follow'

/** The position where the viewer begins: a known offset, or a number of bytes back. */
function startOf(ctx: Context<StreamId>): ConsoleStart {
  const { most_recent, ...query } = ctx.query
  const { boot, from_start } = query as { boot?: string; from_start?: number | null }
  if (boot !== undefined) return { boot, offset: from_start ?? 0 }
  return { mostRecent: most_recent ?? undefined }
}

/** Opens a serial console, for the host to connect to a WebSocket. */
async function openStream(ctx: Context<StreamId>): Promise<SocketHandler> {
  const row = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
  const vmId = consoleVm(row)
  const { consoles } = ctx.services
  const start = startOf(ctx)
  let line: ConsoleLine | undefined
  let hear: (text: string) => void = () => {}
  return {
    async check(actor) {
      await lookup({ db: ctx.db, requiredActions: ctx.requiredActions, actor }, 'instance', row.id)
    },
    open(socket) {
      if (ctx.operationId === 'instance_serial_console_stream') {
        line = consoles.open(vmId, start, plainViewer(socket))
        return
      }
      const following = followingViewer(socket)
      hear = following.hear
      line = consoles.open(vmId, start, following.viewer)
    },
    message: (data) => line?.type(data),
    text(text) {
      hear(text)
      line?.drained()
    },
    sent: () => line?.drained(),
    closed: () => line?.leave(),
  }
}

export const serialConsoleHandlers: Handlers<typeof tables.serialConsoleOperations> = {
  async instance_serial_console(ctx) {
    const vmId = consoleVm(await lookup(ctx, 'instance', ctx.params.instance, ctx.query))
    const { from_start, most_recent, max_bytes } = ctx.query
    const given = [from_start, most_recent].filter((value) => value !== undefined && value !== null)
    if (given.length !== 1) {
      throw fail.invalidRequest('exactly one of from_start and most_recent must be given')
    }
    const { consoles } = ctx.services
    const from = from_start ?? Math.max(0, (await consoles.length(vmId)) - most_recent!)
    const { data, endOffset } = await consoles.read(vmId, from, max_bytes ?? undefined)
    return { data: [...data], last_byte_offset: endOffset }
  },
  async serial_console_log(ctx) {
    const row = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
    const vmId = row.vm_id ?? row.last_vm_id
    const nothing = { boot: null, data: '', first_byte_offset: 0, last_byte_offset: 0 }
    if (vmId === null) return nothing
    const { consoles } = ctx.services
    const { boot: known, from_start, most_recent } = ctx.query
    const read = async (from: number) => {
      const oldest = Math.max(from, (await consoles.length(vmId)) - (most_recent ?? Infinity))
      return consoles.read(vmId, oldest)
    }
    let output = await read(from_start ?? 0)
    if (known !== undefined && known !== output.boot) output = await read(0)
    const { boot, data, endOffset } = output
    if (boot === '') return nothing
    return {
      boot,
      data: uint8ArrayToBase64(data),
      first_byte_offset: endOffset - data.length,
      last_byte_offset: endOffset,
    }
  },
  instance_serial_console_stream: openStream,
  serial_console_follow: openStream,
}
