/** A small Redfish service over HTTPS: the management controller of one machine of a test. */
import { createServer, type Server } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { makeCertificate } from '../../../api/test/support/certificates.ts'

export const REDFISH_SYSTEM = '/redfish/v1/Systems/1'
const RESET = `${REDFISH_SYSTEM}/Actions/ComputerSystem.Reset`

export interface RedfishService {
  port: number
  /** PEM of the certificate, which nobody trusts. */
  certificate: string
  /** The calls that it has answered, such as `GET /redfish/v1`. */
  calls: string[]
  close: () => Promise<void>
}

interface Machine {
  isOn: () => boolean
  off: () => Promise<void> | void
}

interface Credentials {
  user: string
  password: string
}

const documents: Record<string, (machine: Machine) => object> = {
  '/redfish/v1': () => ({ Systems: { '@odata.id': '/redfish/v1/Systems' } }),
  '/redfish/v1/Systems': () => ({ Members: [{ '@odata.id': REDFISH_SYSTEM }] }),
  [REDFISH_SYSTEM]: (machine) => ({
    PowerState: machine.isOn() ? 'On' : 'Off',
    Actions: { '#ComputerSystem.Reset': { target: RESET } },
  }),
}

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece.toString()
  return text
}

export async function startRedfish(
  machine: Machine,
  { user, password }: Credentials,
): Promise<RedfishService> {
  const { cert, key } = await makeCertificate({ names: ['localhost'] })
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const calls: string[] = []
  const server: Server = createServer({ cert, key }, (request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const handle = async (): Promise<void> => {
      const body = await textOf(request)
      const { method = '', url = '' } = request
      calls.push(`${method} ${url}`)
      // The root is for everybody.
      if (url !== '/redfish/v1' && request.headers.authorization !== expected) {
        return answer(401, { error: { code: 'Base.1.0.InsufficientPrivilege' } })
      }
      const document = documents[url]
      if (method === 'GET' && document) return answer(200, document(machine))
      if (method === 'POST' && url === RESET) {
        if ((JSON.parse(body) as { ResetType?: string }).ResetType === 'ForceOff') {
          await machine.off()
        }
        return answer(200, {})
      }
      return answer(404, { error: { code: 'Base.1.0.ResourceMissingAtURI' } })
    }
    handle().catch((error: unknown) => answer(500, { error: String(error) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    certificate: cert,
    calls,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
