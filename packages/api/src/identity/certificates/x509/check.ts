/** Checks whether a certificate and its key can be served for given hosts. */
import { certificateProblems as problems, coversHost } from '../rules.ts'
import { isNamedIssuer, readChain, type X509Certificate } from './certificate.ts'
import {
  hasSigned,
  isKeyOf,
  publicKeyOf,
  readPrivateKey,
  rsaBits,
  type X509PrivateKey,
} from './keys.ts'
import { writePem } from './pem.ts'

const CHAIN_MAX = 16
/** Minimum key size of TLS libraries at their default security level. */
const RSA_MIN_BITS = 2048
/** Larger keys only slow down each connection. */
const RSA_MAX_BITS = 8192

export interface CertificateProblem {
  /** The wrong value, by its name in messages. */
  of: 'certificate' | 'private-key'
  text: string
}

export interface CheckedCertificate {
  names: string[]
  start: Date
  end: Date
  /** PKCS #8 in PEM, whatever the input format. */
  key: string
}

/**
 * Problem with a signature that no certificate of the chain has made, although at least one has the
 * name of the issuer. Order and extra certificates do not matter: clients accept both (RFC 8446,
 * 4.4.2).
 */
async function brokenSignature(chain: X509Certificate[]): Promise<string | undefined> {
  for (const [at, signed] of chain.entries()) {
    const issuers = [...chain.entries()].filter(([, issuer]) => isNamedIssuer(issuer, signed))
    // Signatures of an unsupported algorithm remain unverified.
    const verdicts = await Promise.all(issuers.map(([, issuer]) => hasSigned(issuer, signed)))
    if (verdicts.length === 0 || verdicts.some((verdict) => verdict !== false)) continue
    const [by] = issuers[0]!
    const what = by === at ? 'itself' : `number ${at + 1}`
    return problems.unreadable(`number ${by + 1} of the chain has not signed ${what}`)
  }
  return undefined
}

/** Problem with the intermediates. */
async function chainProblem(chain: X509Certificate[], now: Date): Promise<string | undefined> {
  if (chain.length > CHAIN_MAX) return problems.unreadable(`more than ${CHAIN_MAX} in the chain`)
  // An expired root does no harm: clients have their own.
  const isOver = (one: X509Certificate, at: number) =>
    one.end <= now && (at === 0 || !isNamedIssuer(one, one))
  return chain.some(isOver) ? problems.expired : brokenSignature(chain)
}

/** Whether a private key belongs to one of the later certificates of a chain. */
async function isKeyOfLater(key: X509PrivateKey, chain: X509Certificate[]): Promise<boolean> {
  for (const each of chain.slice(1)) {
    const publicKey = await publicKeyOf(each)
    if (publicKey && (await isKeyOf(key, each, publicKey))) return true
  }
  return false
}

/**
 * Checks a certificate with its chain and key.
 * @param hosts names of which at least one must be covered, if there are any
 */
export async function checkCertificate(
  { cert, key }: { cert: string; key: string },
  hosts: readonly string[],
  now: Date,
): Promise<CheckedCertificate | CertificateProblem> {
  const bad = (text: string): CertificateProblem => ({ of: 'certificate', text })
  const badKey = (why?: string): CertificateProblem => ({
    of: 'private-key',
    text: problems.key(why),
  })
  const chain = readChain(cert)
  if (!chain) return bad(problems.unreadable())
  const [leaf] = chain
  if (!leaf) return bad(problems.empty)
  const wrongChain = await chainProblem(chain, now)
  if (wrongChain !== undefined) return bad(wrongChain)
  const publicKey = await publicKeyOf(leaf)
  if (!publicKey) return bad(problems.unreadable('its kind of key is not supported'))
  const bits = rsaBits(publicKey)
  if (bits !== undefined && bits < RSA_MIN_BITS) return bad(problems.weak(RSA_MIN_BITS))
  if (bits !== undefined && bits > RSA_MAX_BITS) {
    return bad(problems.unreadable(`its key has more than ${RSA_MAX_BITS} bits`))
  }
  const privateKey = readPrivateKey(key)
  if ('problem' in privateKey) return badKey(privateKey.problem)
  const belongs = await isKeyOf(privateKey, leaf, publicKey)
  if (belongs === undefined) return badKey()
  if (!belongs) {
    const isLater = await isKeyOfLater(privateKey, chain)
    return bad(isLater ? problems.issuerFirst : problems.otherKey)
  }
  if (!leaf.forServers) return bad(problems.purpose)
  const { names, start, end } = leaf
  const covers = (host: string) => names.some((name) => coversHost(name, host))
  if (hosts.length > 0 && !hosts.some(covers)) return bad(problems.hosts(hosts, names))
  return { names, start, end, key: writePem({ label: 'PRIVATE KEY', bytes: privateKey.bytes }) }
}
