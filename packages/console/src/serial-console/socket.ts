/** Bytes of earlier output that are shown when a console is opened. */
const REPLAYED_BYTES = 262_144

/** The one place where the console opens a network socket: a host inside the page replaces it here. */
export function openConsoleSocket(url: string): WebSocket {
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  return socket
}

export function consoleUrl({ project, instance }: { project: string; instance: string }): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const path = `/v1/instances/${encodeURIComponent(instance)}/serial-console/stream`
  const query = `project=${encodeURIComponent(project)}&most_recent=${REPLAYED_BYTES}`
  return `${scheme}://${location.host}${path}?${query}`
}
