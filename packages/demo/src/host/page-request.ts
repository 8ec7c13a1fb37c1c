/** A request with headers that a page may not set, as if it had come over the network. */
export class WireRequest extends Request {
  readonly #headers: Headers

  constructor(input: Request, body: BodyInit | null, headers: Headers) {
    super(input.url, { method: input.method, body, signal: input.signal })
    this.#headers = headers
  }

  override get headers(): Headers {
    return this.#headers
  }
}

/**
 * The request for the control plane: with its cookies, and with the length of its body, which some
 * browsers do not let a page read as a stream.
 */
export async function toWire(request: Request, cookie: string | undefined): Promise<Request> {
  const headers = new Headers(request.headers)
  if (cookie) headers.set('cookie', cookie)
  const body = await request.arrayBuffer()
  if (body.byteLength === 0) return new WireRequest(request, null, headers)
  headers.set('content-length', String(body.byteLength))
  return new WireRequest(request, body, headers)
}
