/** A server of images on this machine, whose faults the tests choose. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, BlockList } from 'node:net'

export interface ServedFile {
  bytes: Uint8Array
  etag?: string
  /** Whether ranges are served; by default they are. */
  ranges?: boolean
  /** Bytes after which each answer is cut, for as many answers as there are numbers. */
  cuts?: number[]
  /** Bytes after which the answer goes on no more. */
  hangsAfter?: number
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

export interface ImageServer {
  url: string
  /** The headers of the requests for each path. */
  asked: Record<string, { range?: string; ifRange?: string }[]>
  files: Record<string, ServedFile>
  /** Answers of other paths. */
  answers: Record<string, Answer>
  /** Cuts all connections. */
  closeConnections: () => void
  close: () => Promise<void>
}

/** Networks from which downloads of tests are allowed. */
export const loopback = new BlockList()
loopback.addAddress('127.0.0.1')

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** Bytes that repeat nowhere, with the mark of a disk in the first block. */
export function noise(length: number, seed = 1): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4))
  let state = seed
  for (let at = 0; at < words.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    words[at] = state
  }
  const bytes = new Uint8Array(words.buffer, 0, length)
  if (length >= 512) bytes.set([0x55, 0xaa], 510)
  return bytes
}

function serveFile(file: ServedFile, request: IncomingMessage, response: ServerResponse): void {
  const { bytes, etag, ranges = true, hangsAfter } = file
  const { range, 'if-range': ifRange } = request.headers
  const asked = /^bytes=(\d+)-$/.exec(range ?? '')?.[1]
  const start = ranges && asked !== undefined && ifRange === etag ? Number(asked) : 0
  const body = bytes.subarray(start)
  response.writeHead(start > 0 ? 206 : 200, {
    'content-length': body.length,
    ...(etag && { etag }),
    ...(start > 0 && {
      'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
    }),
  })
  const cut = file.cuts?.shift()
  if (cut !== undefined) return void response.write(body.subarray(0, cut), () => response.destroy())
  if (hangsAfter !== undefined) return void response.write(body.subarray(0, hangsAfter))
  response.end(body)
}

export async function startImageServer(): Promise<ImageServer> {
  const images: Omit<ImageServer, 'url' | 'close' | 'closeConnections'> = {
    asked: {},
    files: {},
    answers: {},
  }
  const server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!
    const { range, 'if-range': ifRange } = request.headers
    ;(images.asked[path] ??= []).push({
      ...(range && { range }),
      ...(ifRange && { ifRange: String(ifRange) }),
    })
    const [file, answer] = [images.files[path], images.answers[path]]
    if (file) serveFile(file, request, response)
    else if (answer) answer(response, request)
    else response.writeHead(404).end('no such file')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    ...images,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closeConnections: () => server.closeAllConnections(),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
