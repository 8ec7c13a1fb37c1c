import Oxide from '@oxide/api'
import { GiB } from '@steading/api/rules'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually, type Methods, ok, refusal, signIn, startHost } from './client.ts'

interface Codes {
  device_code: string
  user_code: string
  verification_uri: string
}

/** Posts a form, for which the client has no call: its two calls for devices send no body. */
async function post<T>(url: string, fields: Record<string, string>): Promise<T> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
  return (await response.json()) as T
}

/** Obtains a token as the command line tool does. */
async function logIn(host: string, user: Methods): Promise<Record<string, string>> {
  const clientId = crypto.randomUUID()
  const codes = await post<Codes>(`${host}/device/auth`, { client_id: clientId })
  expect(codes.verification_uri).toBe(`${host}/device/verify`)
  const poll = () =>
    post<Record<string, string>>(`${host}/device/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: codes.device_code,
      client_id: clientId,
    })
  expect(await poll()).toEqual({ error: 'authorization_pending' })
  ok(await user.deviceAuthConfirm({ body: { userCode: codes.user_code } }))
  return poll()
}

/** The client opens the socket; a program has to add the token itself. */
function openConsole(host: string, token: string, instance: string): WebSocket {
  const WithToken = class extends WebSocket {
    constructor(url: string | URL) {
      // Node accepts headers here, unlike the browser's type.
      super(url, { headers: { authorization: `Bearer ${token}` } } as never)
    }
  }
  vi.stubGlobal('WebSocket', WithToken)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { hostname, port } = new URL(host)
  return new Oxide({ host }).ws.instanceSerialConsoleStream({
    host: `${hostname}:${port}`,
    secure: false,
    path: { instance },
    query: { mostRecent: 0 },
  })
}

test('the published client works with a token from the device flow until the token is revoked', async () => {
  const host = await startHost()
  const { methods: user } = await signIn(host)
  const granted = await logIn(host, user)
  const token = granted.access_token!
  const { methods: api } = new Oxide({ host, token })

  expect(ok(await api.currentUserView({}))).toMatchObject({ displayName: 'admin' })
  ok(await api.projectCreate({ body: { name: 'by-token', description: '' } }))
  const query = { project: 'by-token' }
  const publicKey = 'ssh-ed25519 AAAA device'
  ok(await api.currentUserSshKeyCreate({ body: { name: 'device', description: '', publicKey } }))
  const blank = { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } } as const
  const disk = { name: 'root', description: '', size: GiB, diskBackend: blank }
  const { id } = ok(
    await api.instanceCreate({
      query,
      body: {
        name: 'box',
        description: '',
        hostname: 'box',
        ncpus: 1,
        memory: GiB,
        bootDisk: { type: 'create', ...disk },
        sshPublicKeys: ['device'],
      },
    }),
  )
  await eventually(async () => {
    expect(ok(await api.instanceView({ path: { instance: id } })).runState).toBe('running')
  })

  const socket = openConsole(host, token, id)
  const ended = new Promise<number>((resolve) =>
    socket.addEventListener('close', ({ code }) => resolve(code), { once: true }),
  )
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))

  const { items } = ok(await api.currentUserAccessTokenList({}))
  expect(items.map((each) => each.id)).toEqual([granted.token_id])
  ok(await user.currentUserAccessTokenDelete({ path: { tokenId: granted.token_id! } }))
  expect(await ended).toBe(1008)
  expect(refusal(await api.currentUserView({}))).toMatchObject({
    status: 401,
    errorCode: 'Unauthorized',
  })
})
