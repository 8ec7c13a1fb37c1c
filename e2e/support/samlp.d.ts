/** Types for the used parts of `samlp`, which has none. */
declare module 'samlp' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Handler = (
    request: IncomingMessage & { query: Record<string, string>; user?: object },
    response: ServerResponse & { set: (name: string, value: string) => void; send: unknown },
    next: (error: unknown) => void,
  ) => void

  interface Options {
    issuer: string
    cert: string
    key: string
    destination?: string
    recipient?: string
    signResponse?: boolean
    redirectEndpointPath?: string
    postEndpointPath?: string
    getPostURL?: (
      audience: string,
      request: unknown,
      from: unknown,
      done: (error: unknown, url: string) => void,
    ) => void
    profileMapper?: unknown
    responseHandler?: (
      response: Buffer,
      options: { postUrl: string },
      request: { query: Record<string, string> },
      answer: ServerResponse,
    ) => void
  }
  const samlp: { auth: (options: Options) => Handler; metadata: (options: Options) => Handler }
  export default samlp
}
