/** Whether a certificate and its key can be served for some hosts. */
import { AsnConvert } from '@peculiar/asn1-schema'
import { certificateProblems as problems, coversHost } from '../rules/certificates.ts'
import { readChain, type X509Certificate } from './certificate.ts'
import { hasSigned, isKeyOf, publicKeyOf, readPrivateKey, rsaBits } from './keys.ts'
import { writePem } from './pem.ts'
import { sameBytes } from './same-bytes.ts'

const CHAIN_MAX = 16
/** What TLS libraries accept at their usual level. */
const RSA_MIN_BITS = 2048
/** Larger keys only cost time, at each connection. */
const RSA_MAX_BITS = 8192

export interface CertificateProblem {
  /** The value that is wrong, as messages call it. */
  of: 'certificate' | 'private-key'
  text: string
}

export interface CheckedCertificate {
  names: string[]
  start: Date
  end: Date
  /** PKCS #8, in PEM, whatever form it was given in. */
  key: string
}

const isSelfSigned = ({ structure: { tbsCertificate } }: X509Certificate): boolean =>
  sameBytes(
    AsnConvert.serialize(tbsCertificate.issuer),
    AsnConvert.serialize(tbsCertificate.subject),
  )

/** What is wrong with the certificates that vouch for the first one. */
async function chainProblem(chain: X509Certificate[], now: Date): Promise<string | undefined> {
  if (chain.length > CHAIN_MAX) return problems.unreadable(`more than ${CHAIN_MAX} in the chain`)
  for (const [at, issuer] of chain.entries()) {
    // A root that has ended does no harm: clients have their own.
    if (issuer.end <= now && (at === 0 || !isSelfSigned(issuer))) return problems.expired
    // Of an algorithm that is not supported, nothing can be said.
    if (isSelfSigned(issuer) && (await hasSigned(issuer, issuer)) === false) {
      return problems.unreadable(`number ${at + 1} of the chain has not signed itself`)
    }
    const signed = chain[at - 1]
    if (signed && (await hasSigned(issuer, signed)) === false) {
      return problems.unreadable(`number ${at + 1} of the chain has not signed number ${at}`)
    }
  }
  return undefined
}

/**
 * Checks a certificate with its chain and key.
 * @param hosts of which it has to cover one, if there are any
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
  if (!belongs) return bad(problems.otherKey)
  if (!leaf.forServers) return bad(problems.purpose)
  const { names, start, end } = leaf
  const covers = (host: string) => names.some((name) => coversHost(name, host))
  if (hosts.length > 0 && !hosts.some(covers)) return bad(problems.hosts(hosts, names))
  return { names, start, end, key: writePem({ label: 'PRIVATE KEY', bytes: privateKey.bytes }) }
}
