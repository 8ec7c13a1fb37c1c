/** Concurrent reads of one user, and input to serial consoles. */
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type Load, PROJECT, tally, type World } from './world.ts'

const RULES = 1024
const CALLS = 400
const rulesPath = `/v1/vpc-firewall-rules?project=${PROJECT}&vpc=default`

async function writeRules({ admin }: World): Promise<void> {
  const rules = Array.from({ length: RULES }, (_, index) => ({
    name: `rule-${index}`,
    description: '',
    action: 'deny',
    direction: 'inbound',
    priority: index,
    status: 'enabled',
    targets: [{ type: 'vpc', value: 'default' }],
    filters: {
      hosts: [{ type: 'ip_net', value: `10.${index >> 8}.${index & 255}.0/24` }],
      protocols: [{ type: 'tcp' }],
      ports: [String(index + 1)],
    },
  }))
  await admin('PUT', rulesPath, { rules })
}

/** Makes concurrent calls. */
async function atOnce(count: number, call: () => Promise<{ status: number }>): Promise<string> {
  const answers = await Promise.all(Array.from({ length: count }, call))
  return tally(answers.map(({ status }) => status))
}

export const reachabilityQuestions: Load = {
  prepare: writeRules,
  apply: ({ attacker }) =>
    atOnce(CALLS, () =>
      attacker('POST', `/x/v1/reachability?project=${PROJECT}`, {
        from: { type: 'instance', instance: 'first' },
        to: { type: 'instance', instance: 'second' },
        protocol: 'tcp',
        port: 2000,
      }),
    ),
}

export const firewallReads: Load = {
  prepare: writeRules,
  apply: ({ attacker }) => atOnce(CALLS, () => attacker('GET', rulesPath)),
}

/** @returns undefined for a console that is refused */
export function openConsole({ url, attackerCookie }: World): Promise<WebSocket | undefined> {
  const path = `/v1/instances/first/serial-console/stream?project=${PROJECT}`
  const socket = new WebSocket(url.replace('http', 'ws') + path, {
    headers: { cookie: attackerCookie },
  })
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', () => resolve(undefined))
    // Later errors are followed by a close.
    socket.on('error', () => resolve(undefined))
  })
}

const FRAMES = 200_000
/** Frames to send before yielding. */
const BURST = 5000

export const consoleFrames: Load = {
  async apply(world, signal) {
    const socket = await openConsole(world)
    if (!socket) return 'the console was refused'
    const closed = new Promise<string>((resolve) =>
      socket.once('close', (code) => resolve(`closed with ${code}`)),
    )
    const answered = new Promise<string>((resolve) =>
      socket.once('pong', () => resolve('all were taken')),
    )
    for (let sent = 0; sent < FRAMES && socket.readyState === WebSocket.OPEN; sent++) {
      socket.send(Buffer.from('x'))
      if (sent % BURST === 0) await pause(0)
    }
    socket.ping()
    const over = new Promise<string>((resolve) =>
      signal.addEventListener('abort', () => resolve('not all were taken in time')),
    )
    const outcome = await Promise.race([closed, answered, over])
    socket.terminate()
    return outcome
  },
}

const CONSOLES = 300
/** Milliseconds of typing. */
const TYPING_MS = 5000

export const consoles: Load = {
  async apply(world) {
    const opened = await Promise.all(Array.from({ length: CONSOLES }, () => openConsole(world)))
    const sockets = opened.filter((socket) => socket !== undefined)
    const end = performance.now() + TYPING_MS
    while (performance.now() < end) {
      for (const socket of sockets) socket.send(Buffer.from('x'))
      await pause(20)
    }
    for (const socket of sockets) socket.terminate()
    return `${sockets.length} opened, ${CONSOLES - sockets.length} refused`
  },
}
