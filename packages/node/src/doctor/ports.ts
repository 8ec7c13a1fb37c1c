/** Checks of the addresses that a server listens on. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { errorCode, errorMessage } from '@steading/files'
import type { ServerConfig } from '../config.ts'
import { LIVE } from '../health.ts'
import { listenError, plainHostOf, urlOf } from '../listening.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Timeout of a health request, in milliseconds. */
const ANSWER_MS = 2_000

/** An address to listen on, and the setting that chose it. */
interface Address {
  host: string
  port: number
  flag: '--port' | '--tls-port' | '--metrics-listen'
}

const addressesOf = (config: ServerConfig): Address[] => [
  { host: plainHostOf(config), port: config.port, flag: '--port' },
  ...(config.tlsPort === undefined
    ? []
    : [{ host: config.host, port: config.tlsPort, flag: '--tls-port' } as const]),
  ...(config.metricsListen ? [{ ...config.metricsListen, flag: '--metrics-listen' } as const] : []),
]

/** Whether a server of this program responds there. */
const isOurs = (url: string): Promise<boolean> =>
  fetch(url + LIVE, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok: answers }) => answers,
    () => false,
  )

async function checkAddress({ host, port, flag }: Address, serverAnswers: boolean) {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return ok(flag, `port ${port} on ${host} is free`)
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE' && serverAnswers) {
      return ok(flag, `the server that runs has port ${port} on ${host}`)
    }
    return problem(flag, errorMessage(listenError(error, host, port, flag)))
  } finally {
    server.close()
  }
}

export async function checkPorts(config: ServerConfig): Promise<Finding[]> {
  const [plain, ...others] = addressesOf(config)
  const serverAnswers = plain!.port !== 0 && (await isOurs(urlOf(plain!.host, plain!.port)))
  return Promise.all([plain!, ...others].map((address) => checkAddress(address, serverAnswers)))
}
