/** HTTP calls to VictoriaMetrics. */
import { errorMessage } from '@steading/files'
import type { Line } from './mapping.ts'

const IMPORT_TIMEOUT_MS = 10_000
const EXPORT_TIMEOUT_MS = 30_000
/** Maximum rows of an exported line, which is read as a whole. */
const ROWS_PER_LINE = 10_000
const LONGEST_LINE = 4 * 1024 * 1024
/** Characters of an error response to quote. */
const REASON_LENGTH = 200

/** VictoriaMetrics could not be reached, or returned an error. */
export class CallFailed extends Error {
  override name = 'CallFailed'
}

export class Client {
  readonly #base: URL
  readonly #headers: Record<string, string>

  /**
   * @param url of VictoriaMetrics, optionally with credentials and a path prefix
   * @param userAgent by which requests name the program
   */
  constructor(url: string, userAgent: string) {
    const base = new URL(url)
    const { username, password } = base
    base.username = ''
    base.password = ''
    if (!base.pathname.endsWith('/')) base.pathname += '/'
    this.#base = base
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    this.#headers = {
      'user-agent': userAgent,
      ...(username && {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      }),
    }
  }

  async #call(
    path: string,
    body: string,
    timeout: number,
    signal?: AbortSignal,
  ): Promise<Response> {
    let response: Response
    try {
      response = await fetch(new URL(path, this.#base), {
        method: 'POST',
        headers: { ...this.#headers, 'content-type': 'application/x-www-form-urlencoded' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
      })
    } catch (error) {
      const { cause } = error as { cause?: unknown }
      throw new CallFailed(`VictoriaMetrics cannot be reached: ${errorMessage(cause ?? error)}`)
    }
    if (response.ok) return response
    const reason = await beginning(response)
    throw new CallFailed(`VictoriaMetrics answers ${response.status}${reason && `: ${reason}`}`)
  }

  /** @param lines of JSON */
  async import(lines: readonly string[]): Promise<void> {
    const response = await this.#call('api/v1/import', lines.join('\n'), IMPORT_TIMEOUT_MS)
    await response.body?.cancel()
  }

  /**
   * Points of the matching series in a time range, inclusive.
   * @param signal aborts the call
   */
  async *export(
    match: string,
    from: number,
    to: number,
    signal?: AbortSignal,
  ): AsyncGenerator<Line> {
    const abort = new AbortController()
    const query = new URLSearchParams({
      'match[]': match,
      start: (from / 1000).toFixed(3),
      end: (to / 1000).toFixed(3),
      max_rows_per_line: String(ROWS_PER_LINE),
    })
    const answer = await this.#call(
      'api/v1/export',
      query.toString(),
      EXPORT_TIMEOUT_MS,
      signal ? AbortSignal.any([abort.signal, signal]) : abort.signal,
    )
    try {
      for await (const text of textLines(answer)) yield JSON.parse(text) as Line
    } catch (error) {
      throw new CallFailed(`VictoriaMetrics aborted its answer: ${errorMessage(error)}`)
    } finally {
      // Ends the response when the reader has enough.
      abort.abort()
    }
  }
}

async function* textLines({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body ?? []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    if (rest.length > LONGEST_LINE) throw new Error('a line is too long')
    for (const line of lines) if (line !== '') yield line
  }
  if (rest !== '') yield rest
}

async function beginning(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      if (text.length > REASON_LENGTH) break
    }
  } catch {
    // The status is sufficient.
  }
  return text.slice(0, REASON_LENGTH).replaceAll(/\s+/g, ' ').trim()
}
