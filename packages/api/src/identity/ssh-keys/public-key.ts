/**
 * Public SSH keys as people paste them: a line of `authorized_keys`, wrapped by a terminal or not,
 * or the file that PuTTY saves (RFC 4716). The control plane stores any other text, as the original
 * API does; only private keys are refused there.
 */
import { base64ToUint8Array, hexToUint8Array, uint8ArrayToBase64 } from 'uint8array-extras'
import { Sha256 } from '../../sha256.ts'

/** Characters. The longest keys, of RSA with 16,384 bits, have 2,800. */
export const PUBLIC_KEY_MAX = 16_384
/** Lines into which a terminal may have wrapped a key. */
const WRAPPED_LINES_MAX = 400

export type PublicKey =
  | { ok: true; key: string; type: string; fingerprint: string; remark?: string }
  | { ok: false; problem: string }

export const privateKeyProblem =
  'This is a private key. Never give it away; the public one ends in .pub'

/** Whether a text contains a private key, in any format of the common programs. */
export const isPrivateKey = (text: string): boolean =>
  /BEGIN ([A-Z0-9]+ ){0,3}PRIVATE KEY|PuTTY-User-Key-File-\d|SSH PRIVATE KEY FILE FORMAT/i.test(
    text,
  )

/** Types of keys, and the number of fields behind the name of the type in the key. */
const types: ReadonlyMap<string, number> = new Map([
  ['ssh-ed25519', 1],
  ['ssh-rsa', 2],
  ['ecdsa-sha2-nistp256', 2],
  ['ecdsa-sha2-nistp384', 2],
  ['ecdsa-sha2-nistp521', 2],
  ['sk-ssh-ed25519@openssh.com', 2],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 3],
])

const knownTypes = [...types.keys()].join(', ')

/** Words before the type that sshd knows (sshd(8), "AUTHORIZED_KEYS FILE FORMAT"). */
const options = new Set(
  `agent-forwarding cert-authority command environment expiry-time from no-agent-forwarding
  no-port-forwarding no-pty no-touch-required no-user-rc no-x11-forwarding permitlisten permitopen
  port-forwarding principals pty restrict tunnel user-rc verify-required x11-forwarding`.split(
    /\s+/,
  ),
)

const failed = (problem: string): PublicKey => ({ ok: false, problem })

function decode(base64: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  try {
    return base64ToUint8Array(base64)
  } catch {
    return undefined
  }
}

/** Fields of a key, each preceded by a length; the last field is undefined if it is cut off. */
function fieldsOf(bytes: Uint8Array): (Uint8Array | undefined)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fields: (Uint8Array | undefined)[] = []
  for (let at = 0; at < bytes.length;) {
    const begin = at + 4
    const end = begin > bytes.length ? Infinity : begin + view.getUint32(at)
    fields.push(end > bytes.length ? undefined : bytes.subarray(begin, end))
    at = end
  }
  return fields
}

const textOf = (bytes: Uint8Array | undefined): string =>
  bytes ? String.fromCharCode(...bytes.subarray(0, 100)) : ''

/** Name of the type inside of a key, whose rest may be damaged. */
function innerType(base64: string): string {
  const begin = base64.slice(0, 80).replace(/=+$/, '')
  const bytes = decode(begin.slice(0, begin.length - (begin.length % 4)))
  return bytes ? textOf(fieldsOf(bytes)[0]) : ''
}

function isComplete(base64: string, type: string): boolean {
  const fields = base64.length % 4 === 0 ? fieldsOf(decode(base64) ?? new Uint8Array()) : []
  return fields.length === types.get(type)! + 1 && fields.every((field) => field?.length)
}

/** Bits of the modulus of an RSA key. */
function rsaBits(base64: string): number {
  const modulus = fieldsOf(decode(base64)!)[2]!
  const first = modulus.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (modulus.length - first) * 8 - Math.clz32(modulus[first]!) + 24
}

const RSA_BITS_MIN = 1024
const RSA_BITS_WANTED = 2048

function rsaRemark(bits: number): string | undefined {
  return bits < RSA_BITS_WANTED
    ? `An RSA key of ${bits} bits is weak, and servers may refuse it: ssh-keygen -t ed25519 makes a better one`
    : undefined
}

/** Fingerprint as `ssh-keygen -l` shows it. */
function fingerprintOf(base64: string): string {
  const hash = new Sha256()
  hash.update(decode(base64)!)
  return `SHA256:${uint8ArrayToBase64(hexToUint8Array(hash.digest())).replace(/=+$/, '')}`
}

/** Problem with a type that cannot be used, or undefined. */
function typeProblem(type: string): string | undefined {
  if (type === 'ssh-dss') {
    return 'DSA keys are not accepted by current servers: ssh-keygen -t ed25519 makes a better one'
  }
  if (type.includes('-cert-v0')) {
    return 'This is a certificate. The key it was made for ends in .pub, without "-cert"'
  }
  return types.has(type)
    ? undefined
    : `Unknown type of key "${type}", expected one of ${knownTypes}`
}

/**
 * The key in words after the type; the last words are the comment.
 * @param before options, with a space after them
 */
function fromWords(before: string, type: string, words: readonly string[]): PublicKey {
  const wrongType = typeProblem(type)
  if (wrongType) return failed(wrongType)
  if (words.length === 0) return failed(`The key itself is missing after "${type}"`)
  // A terminal may have wrapped the key, so words are taken until it is complete.
  let base64 = ''
  let taken = 0
  const most = Math.min(words.length, WRAPPED_LINES_MAX)
  while (taken < most && !isComplete(base64, type)) base64 += words[taken++]
  const complete = isComplete(base64, type)
  const inner = innerType(complete ? base64 : words.join(''))
  if (inner !== '' && inner !== type) {
    return failed(`The key is called "${type}", but it is of type "${inner}"`)
  }
  if (!complete) return failed('The key is damaged or incomplete: copy all of the .pub file')
  const bits = type === 'ssh-rsa' ? rsaBits(base64) : undefined
  if (bits !== undefined && bits < RSA_BITS_MIN) {
    return failed(`An RSA key has at least ${RSA_BITS_MIN} bits, this one has ${bits}`)
  }
  const remark = bits === undefined ? undefined : rsaRemark(bits)
  return {
    ok: true,
    key: [`${before}${type}`, base64, ...words.slice(taken)].join(' '),
    type,
    fingerprint: fingerprintOf(base64),
    ...(remark && { remark }),
  }
}

const ssh2Begin = /^-{4,5} ?BEGIN SSH2 PUBLIC KEY ?-{4,5}$/
const ssh2End = /^-{4,5} ?END SSH2 PUBLIC KEY ?-{4,5}$/

/** The format of RFC 4716, which PuTTYgen saves. */
function fromSsh2(lines: readonly string[]): PublicKey {
  const end = lines.findIndex((line) => ssh2End.test(line))
  if (end < 0)
    return failed('The key is incomplete: its last line "END SSH2 PUBLIC KEY" is missing')
  let base64 = ''
  let comment = ''
  let continued = false
  for (const line of lines.slice(1, end)) {
    const header = /^([^:\s]{1,64}):\s*(.*)$/.exec(line)
    if (header?.[1]!.toLowerCase() === 'comment') comment = header[2]!
    if (!header && !continued) base64 += line
    // A backslash at its end continues a header on the next line.
    continued = (header !== null || continued) && line.endsWith('\\')
  }
  const words = comment
    .replace(/^"(.*)"$/, '$1')
    .split(/\s+/)
    .filter((word) => word !== '')
  return fromWords('', innerType(base64), [base64, ...words])
}

/**
 * A text in quotes, in which a backslash makes a quote part of the text. Each character can match in
 * one way only, so that no line takes exponential time.
 */
const quoted = String.raw`"(?:\\"|\\(?!")|[^"\\])*"`
const allQuoted = new RegExp(quoted, 'g')
/** Splits options from the rest of a line: blanks in quotes belong to them. */
const optionsForm = new RegExp(String.raw`^((?:[^\s"]|${quoted})+)\s+(.+)$`, 's')

function optionsProblem(text: string): string | undefined {
  const names = text
    .replaceAll(allQuoted, '')
    .split(',')
    .map((option) => option.replace(/=$/, ''))
  const unknown = names.find((name) => !options.has(name.toLowerCase()))
  return unknown === undefined
    ? undefined
    : `"${unknown}" before the type of the key is not an option`
}

const looksLikeType = (word: string): boolean =>
  types.has(word) || /^(ssh|ecdsa|sk)-[a-z0-9@.-]+$/.test(word)

const isPath = (text: string): boolean =>
  /^(~|\.{1,2})?[/\\]/.test(text) || /^[A-Za-z]:\\/.test(text) || /^\S+\.pub$/.test(text)

/**
 * Reads a public key.
 * @returns the line to store, with wrapped lines joined, or why the text is no public key
 */
export function readPublicKey(text: string): PublicKey {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (trimmed === '') return failed('Public key is required')
  if (isPrivateKey(trimmed)) return failed(privateKeyProblem)
  if (trimmed.length > PUBLIC_KEY_MAX) {
    return failed(`A public key has at most ${PUBLIC_KEY_MAX} characters`)
  }
  const lines = trimmed
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (ssh2Begin.test(lines[0]!)) return fromSsh2(lines)
  if (/^-+ ?BEGIN/.test(lines[0]!)) {
    return failed(
      'This is not the format of OpenSSH: convert it by ssh-keygen -i -m PKCS8 -f key.pub',
    )
  }
  if (isPath(trimmed)) {
    return failed('This is the path of a file: paste the contents of the file')
  }
  const first = trimmed.split(/\s+/)[0]!
  if (lines.filter((line) => looksLikeType(line.split(/\s+/)[0]!)).length > 1) {
    return failed('This is more than one key: add each of them by itself')
  }
  if (looksLikeType(first)) return fromWords('', first, trimmed.split(/\s+/).slice(1))
  if (types.has(innerType(first))) {
    return failed(`The type before the key is missing: write "${innerType(first)} " in front of it`)
  }
  const [, before, rest] = optionsForm.exec(trimmed) ?? []
  const [type, ...words] = rest?.split(/\s+/) ?? []
  if (before === undefined || type === undefined || !looksLikeType(type)) {
    return failed('This is not a public key: it begins with its type, like "ssh-ed25519 AAAA…"')
  }
  const wrongOption = optionsProblem(before)
  return wrongOption ? failed(wrongOption) : fromWords(`${before} `, type, words)
}
