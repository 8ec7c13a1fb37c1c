/** Calls of an administrator that expect success. */
export interface Caller {
  (method: string, path: string, body?: object): Promise<any>
  /**
   * The same, for a call that some versions do not know.
   * @returns undefined if unknown
   */
  known: (method: string, path: string, body?: object) => Promise<any>
  /** The same, with any answer. */
  status: (method: string, path: string) => Promise<{ status: number; text: string }>
  /** First bytes of a download. */
  bytes: (path: string, count: number) => Promise<Buffer>
}

/** Signs in as the administrator. */
export async function createCaller(url: string, password: string): Promise<Caller> {
  let cookie = ''
  const send = (method: string, path: string, body?: object) =>
    fetch(url + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
  const answerOf = async (response: Response, path: string) => {
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`)
    return text && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
  }
  const signIn = { username: 'admin', password }
  const response = await send('POST', '/v1/login/main/local', signIn)
  await answerOf(response, 'signing in')
  cookie = response.headers.get('set-cookie')!.split(';')[0]!
  return Object.assign(
    async (method: string, path: string, body?: object) =>
      answerOf(await send(method, path, body), path),
    {
      async status(method: string, path: string) {
        const response = await send(method, path)
        return { status: response.status, text: await response.text() }
      },
      async bytes(path: string, count: number) {
        const headers = { cookie, range: `bytes=0-${count - 1}` }
        const response = await fetch(url + path, { headers })
        return Buffer.from(await response.arrayBuffer())
      },
      async known(method: string, path: string, body?: object) {
        const response = await send(method, path, body)
        return [404, 405].includes(response.status) ? undefined : answerOf(response, path)
      },
    },
  )
}
