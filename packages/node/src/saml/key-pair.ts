import { createPrivateKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { identityProviderMessages as messages } from '@steading/api/rules'
import { decodeBase64, SamlError, type SigningKeyPair } from '@steading/control-plane/ports'

/** Runs a step; its failure becomes an error of the contract. */
function step<T>(
  message: (reason: string) => string,
  reason: string | undefined,
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    throw new SamlError(message(reason ?? (error as Error).message))
  }
}

export const privateKeyOf = (privateKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs1' })

/** An RSA SHA-256 signature in base64. */
export const signText = (text: string, privateKey: string): string =>
  sign('sha256', Buffer.from(text), privateKeyOf(privateKey)).toString('base64')

/** @throws SamlError if the key does not belong to the certificate */
export function requireKeyPair({ publicCert, privateKey }: SigningKeyPair): void {
  const cert = step(messages.certBase64, undefined, () => decodeBase64(publicCert))
  // PEM would be accepted as well, but metadata contains DER.
  const der = 'it is not a certificate in DER'
  const certificate = step(messages.cert, der, () => {
    if (cert[0] !== 0x30) throw new Error(der)
    return new X509Certificate(cert)
  })
  step(messages.keyBase64, undefined, () => decodeBase64(privateKey))
  const key = step(messages.key, 'it is not a PKCS#1 key in DER', () => {
    const read = privateKeyOf(privateKey)
    // Node reads other keys as well.
    if (read.asymmetricKeyType !== 'rsa') throw new Error('another kind of key')
    return read
  })
  const data = Buffer.from('steading')
  const matches = step(messages.pair, 'the certificate has another kind of key', () =>
    verify('sha256', data, certificate.publicKey, sign('sha256', data, key)),
  )
  if (!matches) throw new SamlError(messages.pair('the key belongs to another certificate'))
}
