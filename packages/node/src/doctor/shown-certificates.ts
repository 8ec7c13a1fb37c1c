/**
 * Certificates that services show. Their files do not say it: a service may go on with one that it
 * has read long ago.
 */
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export interface TlsService {
  host: string
  port: number
  /** PostgreSQL begins TLS only when asked. */
  postgres?: boolean
  /** The certificate of this server, for services that ask for one. */
  own?: { key: string; cert: string }
}

/** Milliseconds. */
const PATIENCE_MS = 5_000

/** The request for TLS of PostgreSQL's protocol: its length, and a code in place of a version. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

async function askForTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(SSL_REQUEST)
  const [answer] = (await once(socket, 'data', { signal })) as [Buffer]
  if (answer.toString('latin1') !== 'S') throw new Error('it has no TLS')
  socket.pause()
}

/**
 * The end of the certificate that a service shows.
 * @throws if it does not answer within five seconds, or shows none
 */
export async function shownEnd({ host, port, postgres, own }: TlsService): Promise<Date> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const socket = connect({ host, port })
  // The waits below see errors themselves; a connection may also break between them.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal })
    if (postgres) await askForTls(socket, signal)
    const tls = connectTls({
      socket,
      ...own,
      ...(isIP(host) === 0 && { servername: host }),
      // A certificate that has ended has to be read as well; other checks look at the authority.
      rejectUnauthorized: false,
    })
    // A service may refuse this client after it has shown its certificate.
    tls.on('error', () => {})
    await once(tls, 'secureConnect', { signal })
    const ends = new Date(tls.getPeerCertificate().valid_to)
    if (Number.isNaN(ends.getTime())) throw new Error('it shows no certificate')
    return ends
  } finally {
    socket.destroy()
  }
}
