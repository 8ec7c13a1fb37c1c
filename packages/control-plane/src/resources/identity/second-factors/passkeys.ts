/** Registration and use of passkeys. */
import type { Wire } from '@steading/api'
import {
  PASSKEYS_MAX,
  permitsPasskeys,
  secondFactorMessages as messages,
} from '@steading/api/rules'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import {
  base64ToString,
  base64ToUint8Array,
  stringToUint8Array,
  uint8ArrayToBase64,
} from 'uint8array-extras'
import type { Db } from '../../../kernel/db/database.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import { pick } from '../../../kernel/pick.ts'
import { countRows } from '../../../kernel/db/rows.ts'
import { challengeEnd, newChallenge, spendChallenge } from './challenges.ts'
import type { Passkey } from './factors.ts'
import { passkeyTransports } from './table.ts'

/** Loaded on first use, because it would slow down every start. */
const library = () => import('@simplewebauthn/server')

/** Signature algorithms of COSE: EdDSA, ES256 and RS256, which all runtimes verify. */
const algorithms = [-8, -7, -257]

/** Texts from a client are parsed here, before the library checks their contents. */
function parsed<T>(text: string): T {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as T
  } catch {
    // Refused below.
  }
  throw fail.invalidRequest(messages.refused('it is not JSON of an object'))
}

export const toWirePasskey = (row: Passkey): Wire.Passkey => ({
  ...pick(row, 'id', 'name', 'time_created', 'time_last_used', 'host'),
  synced: row.synced === 1,
})

/** The host of a request, as far as browsers use passkeys there. */
export function hostOf(request: Request): { host: string; origins: string[] } | undefined {
  const { hostname, host } = new URL(request.url)
  if (!permitsPasskeys(hostname)) return undefined
  // Browsers permit plain HTTP at localhost alone; a proxy may hide the scheme.
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return { host: hostname, origins: [`https://${host}`, ...(isLocal ? [`http://${host}`] : [])] }
}

/** @throws ApiError 400 at a host without a name */
function requireHost(request: Request) {
  const found = hostOf(request)
  if (!found) throw fail.invalidRequest(messages.noHost)
  return found
}

const descriptorOf = ({ credential_id, transports }: Passkey) => ({
  id: credential_id,
  transports: passkeyTransports.read(transports) as AuthenticatorTransport[],
})

interface Owner {
  id: string
  /** The sign-in name. */
  name: string
}

/** JSON of the options for registering a passkey. @throws ApiError 400 */
export async function registrationOptions(
  db: Db,
  request: Request,
  purpose: string,
  user: Owner,
  passkeys: readonly Passkey[],
  now: Date,
): Promise<string> {
  const { host } = requireHost(request)
  if (passkeys.length >= PASSKEYS_MAX) throw fail.invalidRequest(messages.tooMany)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Steading',
    rpID: host,
    userName: user.name,
    userID: stringToUint8Array(user.id) as Uint8Array<ArrayBuffer>,
    challenge: await newChallenge(db, purpose, now),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: passkeys.filter((each) => each.host === host).map(descriptorOf),
    // Discoverable and verified if the authenticator can, so that it may be used alone.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return JSON.stringify(options)
}

/** Verifies a response by the library, whose errors are reasons of the refusal. */
async function verified<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw fail.invalidRequest(messages.refused((error as Error).message.slice(0, 200)))
  }
}

/** Accepts a challenge of this purpose, and keeps it to be spent. */
function challengeOf(db: Db, purpose: string, now: Date) {
  let found: { challenge: string; end: Date } | undefined
  return {
    async accepts(encoded: string): Promise<boolean> {
      const challenge = base64ToString(encoded)
      const end = await challengeEnd(db, purpose, challenge, now)
      if (!end) throw fail.invalidRequest(messages.refused(messages.stale))
      found = { challenge, end }
      return true
    },
    /** In the transaction that writes. */
    async spend(tx: Db): Promise<void> {
      if (!(await spendChallenge(tx, found!.challenge, found!.end))) {
        throw fail.invalidRequest(messages.refused(messages.stale))
      }
    },
  }
}

/**
 * Verifies the registration of a passkey.
 * @returns stores it, in the transaction given
 * @throws ApiError 400
 */
export async function verifyRegistration(
  db: Db,
  request: Request,
  purpose: string,
  { name, response }: { name: string; response: string },
  now: Date,
): Promise<(tx: Db, userId: string) => Promise<void>> {
  const { host, origins } = requireHost(request)
  const challenge = challengeOf(db, purpose, now)
  const json = parsed<RegistrationResponseJSON>(response)
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo: info } = await verified(() =>
    verifyRegistrationResponse({
      response: json,
      expectedChallenge: challenge.accepts,
      expectedOrigin: origins,
      expectedRPID: host,
      supportedAlgorithmIDs: algorithms,
      requireUserVerification: false,
    }),
  )
  if (!info) throw fail.invalidRequest(messages.refused('its signature does not match'))
  const { credential, credentialBackedUp } = info
  return async (tx, userId) => {
    await challenge.spend(tx)
    const count = await countRows(tx.selectFrom('passkey').where('user_id', '=', userId))
    if (count >= PASSKEYS_MAX) throw fail.invalidRequest(messages.tooMany)
    const stored = await tx
      .insertInto('passkey')
      .values({
        id: crypto.randomUUID(),
        user_id: userId,
        name: name.trim() || name,
        credential_id: credential.id,
        public_key: uint8ArrayToBase64(credential.publicKey, { urlSafe: true }),
        counter: credential.counter,
        host,
        transports: passkeyTransports.write(credential.transports ?? []),
        synced: credentialBackedUp ? 1 : 0,
        time_created: now.toISOString(),
        time_last_used: null,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!stored) throw fail.invalidRequest(messages.refused(messages.registered))
  }
}

/**
 * JSON of the options for using a passkey.
 * @param among which one is used; undefined if the browser knows the user, who signs in by it alone
 * @throws ApiError 400
 */
export async function useOptions(
  db: Db,
  request: Request,
  purpose: string,
  among: readonly Passkey[] | undefined,
  now: Date,
): Promise<string> {
  const { host } = requireHost(request)
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: host,
    challenge: await newChallenge(db, purpose, now),
    userVerification: among ? 'preferred' : 'required',
    ...(among && {
      allowCredentials: among.filter((each) => each.host === host).map(descriptorOf),
    }),
  })
  return JSON.stringify(options)
}

/**
 * Verifies the use of a passkey.
 * @param alone whether it is the only factor, for which the authenticator has to verify the user
 * @returns the passkey, and a function that records its use in the transaction given
 * @throws ApiError 400
 */
export async function verifyUse(
  db: Db,
  request: Request,
  purpose: string,
  response: string,
  { alone, now }: { alone: boolean; now: Date },
): Promise<{ passkey: Passkey; record: (tx: Db) => Promise<void> }> {
  const refused = (reason: string) => fail.invalidRequest(messages.refused(reason))
  const { host, origins } = requireHost(request)
  const json = parsed<AuthenticationResponseJSON>(response)
  const passkey =
    typeof json.id === 'string'
      ? await db
          .selectFrom('passkey')
          .selectAll()
          .where('credential_id', '=', json.id)
          .executeTakeFirst()
      : undefined
  if (!passkey) throw refused(messages.unknownPasskey)
  if (passkey.host !== host) throw refused(messages.otherHost)
  const challenge = challengeOf(db, purpose, now)
  const { verifyAuthenticationResponse } = await library()
  const { verified: matches, authenticationInfo } = await verified(() =>
    verifyAuthenticationResponse({
      response: json,
      expectedChallenge: challenge.accepts,
      expectedOrigin: origins,
      expectedRPID: host,
      credential: {
        id: passkey.credential_id,
        publicKey: base64ToUint8Array(passkey.public_key) as Uint8Array<ArrayBuffer>,
        counter: Number(passkey.counter),
      },
      requireUserVerification: alone,
    }),
  )
  if (!matches) throw refused('its signature does not match')
  const { newCounter, credentialBackedUp } = authenticationInfo
  return {
    passkey,
    async record(tx) {
      await challenge.spend(tx)
      const { numUpdatedRows } = await tx
        .updateTable('passkey')
        .set({
          counter: newCounter,
          synced: credentialBackedUp ? 1 : 0,
          time_last_used: now.toISOString(),
        })
        .where('id', '=', passkey.id)
        // A copy of the authenticator may have been used at the same time, or the user removed it.
        .where('counter', '=', passkey.counter)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw refused(messages.unknownPasskey)
    },
  }
}
