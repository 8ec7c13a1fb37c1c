import type { ConsolePlace } from '@steading/api/rules'

/** Bytes of earlier output shown when a console opens. */
export const REPLAYED_BYTES = 262_144

/** The only place that opens a WebSocket, so that a host inside the page can replace it. */
export function openConsoleSocket(url: string): WebSocket {
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  return socket
}

type ConsoleUrl = {
  project: string
  instance: string
  /** Whether the control plane has the extension stream, which reports positions. */
  follows: boolean
  /** The position to resume from; the newest output without it. */
  place?: ConsolePlace
}

export function consoleUrl({ project, instance, follows, place }: ConsoleUrl): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const path = `/v1/instances/${encodeURIComponent(instance)}/serial-console/stream`
  const query = new URLSearchParams({
    project,
    ...(place
      ? { boot: place.boot, from_start: String(place.offset) }
      : { most_recent: String(REPLAYED_BYTES) }),
  })
  return `${scheme}://${location.host}${follows ? '/x' : ''}${path}?${query}`
}
