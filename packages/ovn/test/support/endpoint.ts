/**
 * An end point of real packets, in a network namespace of its own: `endpoint.ts <addresses> <ports>`,
 * each with commas. It takes lines of JSON, and answers with lines of JSON.
 */
import { spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { createConnection, createServer } from 'node:net'
import { createInterface } from 'node:readline'

export interface Probe {
  id: string
  protocol: 'tcp' | 'udp' | 'icmp' | 'multicast'
  source: string
  destination: string
  port: number
  /** The interface of packets to groups, as sockets name it. */
  by?: string
}

export type Order = { send: Probe[] } | { forget: string[] } | { join: Group }

/** A multicast group that this end point joins. */
export interface Group {
  address: string
  port: number
  /** The interface, as sockets name it. */
  by: string
}

/** A packet has arrived here, or its answer has. */
export type Report =
  | { ready: true }
  | { arrived: string }
  | { answered: string }
  | { heard: string }

const say = (report: Report): void => void process.stdout.write(`${JSON.stringify(report)}\n`)

// The other end is gone when the test has ended.
process.stdout.on('error', () => process.exit())

/** Milliseconds after which a packet is repeated: the first ones wait for the neighbour. */
const AGAIN_MS = 300

/** Probes that go on until somebody forgets them. */
const going = new Map<string, () => void>()

const kindOf = (address: string) => (address.includes(':') ? 'udp6' : 'udp4')
const isAnswer = (text: string): boolean => text.startsWith('answer ')

/** Listens on each address, so that answers come from the address that was asked. */
function listen(port: number, addresses: readonly string[]): void {
  for (const own of addresses) {
    const socket = createSocket({ type: kindOf(own), reuseAddr: true })
    socket.on('message', (message, { address, port: from }) => {
      const id = String(message)
      say({ arrived: id })
      socket.send(`answer ${id}`, from, address)
    })
    socket.on('error', () => {})
    socket.bind(port, own)
  }
  const server = createServer((connection) => {
    connection.on('error', () => {})
    connection.on('data', (bytes) => {
      say({ arrived: String(bytes) })
      connection.end(`answer ${String(bytes)}`)
    })
  })
  server.listen({ port, host: '::' })
}

function sendDatagrams({ id, source, destination, port }: Probe): () => void {
  const socket: Socket = createSocket({ type: kindOf(destination) })
  socket.on('message', (message) => {
    if (isAnswer(String(message))) say({ answered: String(message).slice(7) })
  })
  socket.on('error', () => {})
  const send = () => socket.send(id, port, destination, () => {})
  let timer: NodeJS.Timeout | undefined
  socket.bind(0, source, () => {
    send()
    timer = setInterval(send, AGAIN_MS)
  })
  return () => {
    clearInterval(timer)
    socket.close()
  }
}

function connectTo({ id, source, destination, port }: Probe): () => void {
  let timer: NodeJS.Timeout | undefined
  let close = () => {}
  let isOver = false
  const attempt = () => {
    const connection = createConnection({ host: destination, port, localAddress: source })
    close = () => connection.destroy()
    connection.on('connect', () => connection.write(id))
    connection.on('data', (bytes) => {
      isOver = true
      if (isAnswer(String(bytes))) say({ answered: id })
    })
    connection.on('error', () => {
      if (!isOver) timer = setTimeout(attempt, AGAIN_MS)
    })
  }
  attempt()
  return () => {
    isOver = true
    clearTimeout(timer)
    close()
  }
}

function ping({ id, source, destination }: Probe): () => void {
  let isOver = false
  let child = attempt()
  function attempt() {
    const one = spawn('ping', ['-n', '-c1', '-W1', '-I', source, destination], { stdio: 'ignore' })
    one.on('exit', (code) => {
      if (code === 0) say({ answered: id })
      else if (!isOver) setTimeout(() => isOver || (child = attempt()), AGAIN_MS)
    })
    return one
  }
  return () => {
    isOver = true
    child.kill('SIGKILL')
  }
}

/** Hops of multicast packets: routers relay them only if there is more than one. */
const HOPS = 8

function sendToGroup({ id, source, destination, port, by }: Probe): () => void {
  const socket = createSocket(kindOf(destination))
  socket.on('error', () => {})
  let timer: NodeJS.Timeout | undefined
  socket.bind(0, source, () => {
    socket.setMulticastTTL(HOPS)
    socket.setMulticastInterface(by!)
    const send = () => socket.send(id, port, destination, () => {})
    send()
    timer = setInterval(send, AGAIN_MS)
  })
  return () => {
    clearInterval(timer)
    socket.close()
  }
}

/** A socket for each group, which is joined by several interfaces once it is bound. */
const groups = new Map<string, { socket: Socket; bound: Promise<void> }>()

function openGroup({ address, port }: Group) {
  const socket = createSocket({ type: kindOf(address), reuseAddr: true })
  const { promise: bound, resolve } = Promise.withResolvers<void>()
  socket.on('message', (message) => say({ heard: String(message) }))
  socket.bind(port, address, resolve)
  return { socket, bound }
}

async function join(group: Group): Promise<void> {
  const there = groups.get(group.address) ?? openGroup(group)
  groups.set(group.address, there)
  await there.bound
  there.socket.addMembership(group.address, group.by)
}

const ways = { tcp: connectTo, udp: sendDatagrams, icmp: ping, multicast: sendToGroup }

const [addresses = [], ports = []] = process.argv.slice(2).map((list) => list.split(','))
for (const port of ports) listen(Number(port), addresses)
say({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order
  if ('send' in order)
    for (const probe of order.send) going.set(probe.id, ways[probe.protocol](probe))
  else if ('join' in order) await join(order.join)
  else {
    for (const id of order.forget) {
      going.get(id)?.()
      going.delete(id)
    }
  }
}
process.exit()
