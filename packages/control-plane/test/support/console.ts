/** Serial consoles as a client sees them. */
import { type ConsolePlace, parsePosition, takenFrame } from '@steading/api/rules'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Caller } from './caller.ts'

export const plain = '/v1'
export const following = '/x/v1'

/** A viewer that collects the output, and on `/x/v1` reports how much it has received. */
export function viewConsole(
  url: string,
  caller: Caller,
  id: string,
  { prefix = plain, query: values = {}, takes = true }: ViewOptions = {},
) {
  const path = `${prefix}/instances/${id}/serial-console/stream?${new URLSearchParams(values)}`
  const socket = new WebSocket(url.replace('http', 'ws') + path, {
    headers: caller.credentials,
  })
  let seen = ''
  let bytes = 0
  const places: (ConsolePlace | undefined)[] = []
  const take = () => socket.send(takenFrame(bytes))
  socket.on('message', (data: Buffer, binary) => {
    if (!binary) return places.push(parsePosition(data.toString()))
    seen += data.toString()
    bytes += data.length
    if (prefix === following && takes) take()
  })
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('unexpected-response', (_, response) => reject(new Error(`${response.statusCode}`)))
    socket.once('error', reject)
  })
  onTestFinished(() => socket.terminate())
  return {
    socket,
    opened,
    places,
    take,
    seen: () => seen,
    bytes: () => bytes,
    type: (text: string) => socket.send(Buffer.from(text)),
  }
}

export interface ViewOptions {
  prefix?: string
  query?: Record<string, string>
  takes?: boolean
}
