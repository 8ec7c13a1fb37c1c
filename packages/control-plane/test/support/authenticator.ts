/** A software authenticator (Web Authentication Level 3) whose answers can be made wrong. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** The one-time password of an authenticator app. @param at milliseconds of its clock */
export const oneTimePassword = (secret: string, at: number = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

const flagsOf = ({ verified = true, attested = false }) =>
  0x01 | (verified ? 0x04 : 0) | (attested ? 0x40 : 0)

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** False statements of the authenticator. */
export interface Wrong {
  origin?: string
  host?: string
  challenge?: string
  verified?: boolean
  counter?: number
  /** Signs with another key. */
  forged?: boolean
}

export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0

  const clientData = (type: string, challenge: string, wrong: Wrong): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const encoded = (bytes: Buffer) => bytes.toString('base64url')
  const ids = { id: encoded(id), rawId: encoded(id), type: 'public-key' }

  return {
    id: ids.id,
    /** Answers the options of a registration. */
    register(options: string, wrong: Wrong = {}): string {
      const { challenge, rp } = JSON.parse(options) as { challenge: string; rp: { id: string } }
      const { x, y } = publicKey.export({ format: 'jwk' })
      // CBOR of a COSE key: EC2, ES256, P-256.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ])
      const data = Buffer.concat([
        sha256(wrong.host ?? rp.id),
        Buffer.from([flagsOf({ ...wrong, attested: true })]),
        uint32(wrong.counter ?? counter),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      ])
      // CBOR of { fmt: 'none', attStmt: {}, authData: data }.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return JSON.stringify({
        ...ids,
        response: {
          clientDataJSON: encoded(clientData('webauthn.create', challenge, wrong)),
          attestationObject: encoded(attestation),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      })
    },
    /** Answers the options of a sign-in. */
    use(options: string, wrong: Wrong = {}): string {
      const { challenge, rpId } = JSON.parse(options) as { challenge: string; rpId: string }
      counter++
      const data = Buffer.concat([
        sha256(wrong.host ?? rpId),
        Buffer.from([flagsOf(wrong)]),
        uint32(wrong.counter ?? counter),
      ])
      const client = clientData('webauthn.get', challenge, wrong)
      const key = wrong.forged ? stranger.privateKey : privateKey
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), key)
      return JSON.stringify({
        ...ids,
        response: {
          clientDataJSON: encoded(client),
          authenticatorData: encoded(data),
          signature: encoded(signature),
        },
        clientExtensionResults: {},
      })
    },
  }
}
