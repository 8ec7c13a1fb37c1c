/** Files of images at addresses that users give. */
import { createHash } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import {
  CHECKSUM_LIST_MAX,
  IMAGE_CONNECT_MS,
  IMAGE_REDIRECTS_MAX,
  IMAGE_STALL_BYTES,
  IMAGE_STALL_MS,
  fileNameOf,
  hostVia,
  imageDownloadProblems as problems,
  urlMessages,
} from '@steading/api/rules'
import { type ImageSources, ImageSourceError, type Resumption } from '@steading/control-plane/ports'
import { holdFile } from './held-file.ts'
import { faultOf } from './outgoing/faults.ts'
import type { OutgoingProxy } from './outgoing/proxy.ts'
import { fetchFrom, RefusedRequest, untilAborted, USER_AGENT } from './outgoing/request.ts'

/** Statuses of a server that may answer otherwise later. */
const isPassing = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429

/** The part of a file in an answer with the status 206: `bytes 0-99/200`. */
function rangeOf(response: IncomingMessage): { start: number; size: number } | undefined {
  const [, start, size] = /^bytes (\d{1,15})-\d+\/(\d{1,15})$/.exec(
    response.headers['content-range'] ?? '',
  ) ?? ['']
  return start === undefined ? undefined : { start: Number(start), size: Number(size) }
}

/** Identifies the version of a file, in a way that `if-range` accepts; null if nothing does. */
function validatorOf({ headers }: IncomingMessage): string | null {
  const { etag, 'last-modified': modified } = headers
  if (headers['accept-ranges'] === 'none') return null
  return (etag?.startsWith('"') ? etag : modified) ?? null
}

/** The present address of a request: the one that the user gave, or a redirect from there. */
interface Redirects {
  first: URL
  at: URL
}

/** The host that an error is about. */
const hostAt = ({ first, at }: Redirects): string => hostVia(at.host, first.host)

/** The error for users about a request. */
function sourceError(error: unknown, redirects: Redirects): ImageSourceError {
  if (error instanceof ImageSourceError) return error
  if (error instanceof RefusedRequest) {
    const redirected = (problem: string) => problems.redirectTo(problem)
    const texts = {
      closed: problems.closed(redirects.at.hostname),
      redirects: problems.redirects,
      scheme: redirected(urlMessages.scheme),
      not_url: redirected(urlMessages.notUrl),
    }
    return new ImageSourceError(texts[error.refusal], false)
  }
  const fault = faultOf(error)
  switch (fault.of) {
    case 'name':
      return new ImageSourceError(problems.unknownHost(redirects.at.hostname), false)
    case 'certificate':
      return new ImageSourceError(problems.certificate(hostAt(redirects), fault.text), false)
    case 'proxy':
      return new ImageSourceError(problems.proxy(fault.text), true)
    case 'connection':
      return new ImageSourceError(problems.unreachable(hostAt(redirects), fault.text), true)
  }
}

/** The error for users about the status of an answer. */
function statusError(status: number, { first, at }: Redirects): ImageSourceError {
  const text = problems.status(hostAt({ first, at }), status, STATUS_CODES[status] ?? '')
  // Queries may have secrets.
  const asked = at.origin + at.pathname
  const isForbidden = status === 401 || status === 403
  // A mirror may lack a file that others of its list have.
  const isMirror = first.host !== at.host && (status === 404 || status === 410)
  return new ImageSourceError(
    isForbidden ? problems.forbidden(text, asked, USER_AGENT) : text,
    isPassing(status) || isMirror,
  )
}

/** The name of a file in a header `content-disposition` (RFC 6266). */
function dispositionName(header: string | undefined): string | undefined {
  const encoded = /filename\*\s*=\s*UTF-8''([^\s;]+)/i.exec(header ?? '')?.[1]
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(header ?? '')
  const name = plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2]
  try {
    return encoded === undefined ? name : decodeURIComponent(encoded)
  } catch {
    return name
  }
}

/** Limits of the time that servers may take, in milliseconds. */
interface Patience {
  connectMs: number
  stallMs: number
}

interface Options extends Partial<Patience> {
  proxy?: OutgoingProxy | undefined
  /** Where files of unknown size are kept, and the bytes that stay free there. */
  scratch?: { directory: string; keepFree: number }
}

/**
 * Access to files of images over HTTP. Each request resolves the host name again, and only connects
 * to an address that is currently allowed.
 * @param networks allowed besides the public internet
 */
export function createImageSources(
  networks?: BlockList,
  {
    connectMs = IMAGE_CONNECT_MS,
    stallMs = IMAGE_STALL_MS,
    proxy,
    scratch = { directory: tmpdir(), keepFree: 0 },
  }: Options = {},
): ImageSources {
  const closing = new AbortController()

  /** Sends a request; the answer has the status of a file. */
  async function answer(
    address: string,
    headers: readonly (readonly [name: string, value: string])[],
    isChecked: boolean,
    cut: AbortController,
  ): Promise<{ response: IncomingMessage; url: URL }> {
    const first = new URL(address)
    const redirects: Redirects = { first, at: first }
    const late = setTimeout(
      () => cut.abort(new ImageSourceError(problems.noAnswer(hostAt(redirects)), true)),
      connectMs,
    )
    const fetching = fetchFrom(address, {
      headers: [['accept-encoding', 'identity'], ...headers],
      signal: cut.signal,
      reach: { networks, proxy },
      at: (url) => void (redirects.at = url),
      redirects: IMAGE_REDIRECTS_MAX,
      permit(url, _target, from) {
        // Without TLS, the network on the way could put another file in its place.
        if (from?.protocol === 'https:' && url.protocol === 'http:' && !isChecked) {
          throw new ImageSourceError(problems.insecure, false)
        }
      },
    })
    try {
      const { response, url } = await untilAborted(cut.signal, fetching)
      // Errors before the body is read belong to its reader.
      response.on('error', () => {})
      const { statusCode: status = 0 } = response
      if (status === 416 && headers.length > 0) return { response, url }
      const isWanted = status === 200 || (status === 206 && headers.length > 0)
      if (!isWanted) {
        response.destroy()
        throw statusError(status, redirects)
      }
      const encoding = response.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity') {
        response.destroy()
        throw new ImageSourceError(problems.encoded(encoding.slice(0, 64)), false)
      }
      return { response, url }
    } catch (error) {
      fetching.then(
        ({ response }) => response.destroy(),
        () => {},
      )
      throw sourceError(cut.signal.aborted ? cut.signal.reason : error, redirects)
    } finally {
      clearTimeout(late)
    }
  }

  /** The bytes of an answer. Only the time in which it is waited for them counts. */
  async function* bytesOf(response: IncomingMessage, cut: AbortController) {
    let waited = 0
    let received = 0
    const chunks = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    for (;;) {
      const began = performance.now()
      const stalled = setTimeout(
        () => cut.abort(new ImageSourceError(problems.stalled, true)),
        stallMs - waited,
      )
      const next = await chunks
        .next()
        .catch(() => {
          if (cut.signal.aborted) throw cut.signal.reason
          throw new ImageSourceError(problems.cutOff, true)
        })
        .finally(() => clearTimeout(stalled))
      if (next.done) return
      waited += performance.now() - began
      received += next.value.length
      if (received >= IMAGE_STALL_BYTES) waited = received = 0
      yield next.value
    }
  }

  /** Cuts a connection at its end, at that of the host, and when its user wants. */
  function cutter(wanted: AbortSignal) {
    const cut = new AbortController()
    const close = () => cut.abort(new ImageSourceError(problems.cutOff, true))
    const others = AbortSignal.any([wanted, closing.signal])
    if (others.aborted) close()
    others.addEventListener('abort', close, { once: true })
    return { cut, close }
  }

  return {
    async open(address, isChecked, signal, resumption?: Resumption) {
      const { cut, close } = cutter(signal)
      try {
        const range = resumption && [
          ['range', `bytes=${resumption.from}-`] as const,
          ['if-range', resumption.validator] as const,
        ]
        let { response, url } = await answer(address, range ?? [], isChecked, cut)
        let part = response.statusCode === 206 ? rangeOf(response) : undefined
        const refused = response.statusCode === 416 || (response.statusCode === 206 && !part)
        if (refused) {
          response.destroy()
          ;({ response, url } = await answer(address, [], isChecked, cut))
          part = undefined
        }
        const length = response.headers['content-length']
        const given = dispositionName(response.headers['content-disposition'])
        return {
          size: part?.size ?? (length === undefined ? null : Number(length)),
          names: [fileNameOf(url.href), ...(given === undefined ? [] : [given])],
          validator: validatorOf(response),
          offset: part?.start ?? 0,
          bytes: bytesOf(response, cut),
          close,
        }
      } catch (error) {
        close()
        throw error
      }
    },

    hold: (file, limit, received) => holdFile(scratch, file, limit, received),

    async text(address, signal) {
      const { cut, close } = cutter(signal)
      try {
        const { response } = await answer(address, [], false, cut)
        const chunks: Buffer[] = []
        let size = 0
        for await (const chunk of bytesOf(response, cut)) {
          size += chunk.length
          if (size > CHECKSUM_LIST_MAX) throw new ImageSourceError(problems.listTooLarge, false)
          chunks.push(chunk)
        }
        return Buffer.concat(chunks).toString('utf8')
      } finally {
        close()
      }
    },

    digest(algorithm) {
      const sum = createHash(algorithm)
      return { update: (data) => sum.update(data), digest: () => sum.digest('hex') }
    },

    closing: closing.signal,
    close: () => closing.abort(),
  }
}
