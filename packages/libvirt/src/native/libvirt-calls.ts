/**
 * The process that calls libvirt for a server: `libvirt-calls <uri>`, with a channel to the server.
 * It ends with the server, also while its threads wait in libvirt.
 */
import { openDomains } from './domains.ts'
import { type CallMessage, type ProcessMessage, toSent } from './messages.ts'

const [uri] = process.argv.slice(2)
const send = (message: ProcessMessage): void => {
  if (process.connected) process.send!(message, undefined, undefined, () => {})
}
/**
 * At once: an orderly end would wait for the threads. Its whole group ends: `ssh` waits for a host that
 * says nothing also when nobody waits for `ssh`.
 */
const end = (): void => void process.kill(-process.pid, 'SIGKILL')

process.once('disconnect', end)
// A signal to all processes of a terminal or a service is for the server, which may still need calls.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const opening = openDomains(uri!)
opening.then(
  (domains) => {
    domains.subscribe((event) => send({ event }))
    send({ ready: true })
  },
  (error: unknown) => send({ failed: toSent(error) }),
)

async function answer({ id, name, args }: CallMessage): Promise<void> {
  try {
    const domains = await opening
    const call = domains[name] as (...given: unknown[]) => Promise<unknown>
    send({ id, result: await call(...args) })
  } catch (error) {
    send({ id, error: toSent(error) })
  }
}

process.on('message', (message: CallMessage | 'close') => {
  if (message !== 'close') return void answer(message)
  // The daemon then knows at once that the connections have ended.
  opening.then((domains) => domains.close()).then(end, end)
})
