import type { ConsolePlace } from '@steading/api/rules'

/** Bytes of earlier output that are shown when a console is opened. */
export const REPLAYED_BYTES = 262_144

/** The one place where the console opens a network socket: a host inside the page replaces it here. */
export function openConsoleSocket(url: string): WebSocket {
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  return socket
}

type ConsoleUrl = {
  project: string
  instance: string
  /** Whether the control plane has the stream of the extensions, which says its position. */
  follows: boolean
  /** Where to go on; without it, the newest output is shown. */
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
