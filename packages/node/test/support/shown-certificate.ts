import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { makeCertificate } from '../../../api/test/support/certificates.ts'

/**
 * Listens with TLS until the test ends, and shows a certificate that ends in some days.
 * @param connected called with the certificate of a client that has connected
 * @returns the port, on 127.0.0.1
 */
export async function showCertificate(
  days: number,
  connected: (certificate: Buffer | undefined) => void = () => {},
): Promise<number> {
  const { own: cert, key } = await makeCertificate({ days })
  // As of TLS 1.3, the client is done before the server knows it.
  const server = createServer({
    cert,
    key,
    requestCert: true,
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.2',
  })
  server.on('secureConnection', (socket) => connected(socket.getPeerX509Certificate()?.raw))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
