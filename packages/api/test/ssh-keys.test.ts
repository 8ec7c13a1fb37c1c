/** Public SSH keys as people paste them; keys and fingerprints are those of ssh-keygen. */
import { privateKeyProblem, readPublicKey } from '@steading/api/ssh-keys'
import { expect, test } from 'vitest'

const ed = 'AAAAC3NzaC1lZDI1NTE5AAAAICGVaWLDkcRH+qClquhAt/jWJGw80lVmDVqgJQBW3u4W'
const edLine = `ssh-ed25519 ${ed} anna@desk`
const edFingerprint = 'SHA256:pdpyvape2P+XsDHhTeBo2Y8JWwX3QbdY7Z9cbxKRT0s'
const rsa =
  'AAAAB3NzaC1yc2EAAAADAQABAAAAgQCt4zARBo73ZRHINhjiFLwROHd4bupRII44YS7+YK4+UbJXnX4RhjhGAh0+NPOOZSAQ8LrRKjl+xAag8wjBVkZNS5cIDEqnvl5qzwqagSIm4fNq+iDuqsnsZZ1L1Yo9GPzndKrnIBB4vObPmYeGHCoOThbPYDSiCiwxH/VE6x6N/w=='
const ec =
  'AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBNrn03NZ3BZEEd6NM3TKZE6wbusLUQ/9bcv8iWs7nIUx6Atq1Pt3wt+k3xMNjiv0rN5KxaJ3uYgFu2nTn5guzgc='

test.each([
  ['a line', edLine, edLine],
  ['blanks, a mark and the end of a line around it', `\uFEFF \n${edLine}\r\n`, edLine],
  ['no comment', `ssh-ed25519 ${ed}`, `ssh-ed25519 ${ed}`],
  ['a comment of words', `${edLine} at home`, `${edLine} at home`],
  ['wrapped lines', `ssh-ed25519 ${ed.slice(0, 30)}\r\n  ${ed.slice(30)} anna@desk`, edLine],
  ['a wrap behind the type', `ssh-ed25519\n${ed}\nanna@desk`, edLine],
  [
    'options',
    `from="10.0.0.0/8,::1",command="echo \\"a b\\"",no-pty ${edLine}`,
    `from="10.0.0.0/8,::1",command="echo \\"a b\\"",no-pty ${edLine}`,
  ],
  [
    "PuTTY's file",
    `---- BEGIN SSH2 PUBLIC KEY ----\nComment: "anna@desk"\n${ed.slice(0, 40)}\n${ed.slice(40)}\n---- END SSH2 PUBLIC KEY ----\n`,
    edLine,
  ],
  [
    'an SSH2 file with a continued header and no comment',
    `---- BEGIN SSH2 PUBLIC KEY ----\nx-note: of \\\nAAAA\n${ed}\n---- END SSH2 PUBLIC KEY ----`,
    `ssh-ed25519 ${ed}`,
  ],
])('a public key with %s is read', (_, text, key) => {
  expect(readPublicKey(text)).toEqual({
    ok: true,
    key,
    type: 'ssh-ed25519',
    fingerprint: edFingerprint,
  })
})

test('a public key of ECDSA is read', () => {
  expect(readPublicKey(`ecdsa-sha2-nistp256 ${ec} curve`)).toMatchObject({
    ok: true,
    fingerprint: 'SHA256:p8yNas9IU4jM1capRmkQVFq/EmD0LK048SPI/ivC5m8',
  })
})

test('a short RSA key is remarked on', () => {
  expect(readPublicKey(`ssh-rsa ${rsa} old`)).toMatchObject({
    ok: true,
    fingerprint: 'SHA256:HgS/KOG1QyANQsIsBbrshhzVxRr2+LdmIDCTejVKK3Y',
    remark: expect.stringContaining('1024 bits'),
  })
})

test.each(
  [
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n-----END OPENSSH PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE',
    '-----BEGIN PRIVATE KEY-----\nMIIE',
    '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIE',
    '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56wAA',
    'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none',
    `${edLine}\n-----BEGIN OPENSSH PRIVATE KEY-----`,
  ].map((text) => [text.split('\n')[0]!, text]),
)('a private key is not read as a public one: %s', (_, text) => {
  expect(readPublicKey(text)).toEqual({ ok: false, problem: privateKeyProblem })
})

test.each([
  ['an empty text', '', 'is required'],
  ['blanks', ' \n ', 'is required'],
  ['a path', '~/.ssh/id_ed25519.pub', 'path of a file'],
  ['a path of Windows', 'C:\\Users\\anna\\.ssh\\id_rsa.pub', 'path of a file'],
  ['the name of a file', 'id_ed25519.pub', 'path of a file'],
  ['DSA', 'ssh-dss AAAAB3NzaC1kc3MAAACBAOBg d', 'DSA'],
  ['a certificate', `ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1l anna`, 'certificate'],
  ['another type inside', `ssh-rsa ${ed} anna`, 'of type "ssh-ed25519"'],
  ['an unknown type', `ssh-ed448 ${ed}`, 'Unknown type'],
  ['no key behind the type', 'ssh-ed25519', 'missing after "ssh-ed25519"'],
  ['a cut key', `ssh-ed25519 ${ed.slice(0, -8)} anna@desk`, 'incomplete'],
  ['a key with more behind it', `ssh-ed25519 ${ed.slice(0, -1)}WAAAA`, 'incomplete'],
  ['dots in its middle', `ssh-ed25519 ${ed.slice(0, 20)}...${ed.slice(-9)}`, 'incomplete'],
  ['no type', `${ed} anna`, 'type before the key is missing'],
  ['a line of known_hosts', `github.com ${edLine}`, '"github.com"'],
  ['a word that all objects have', 'constructor AAAAC2NvbnN0cnVjdG9yAAAAAWE=', 'not a public key'],
  ['a quote that does not end', `"${'\\"'.repeat(100)}`, 'not a public key'],
  ['two keys', `${edLine}\n${edLine}`, 'more than one key'],
  ['PEM', '-----BEGIN PUBLIC KEY-----\nMIGf\n-----END PUBLIC KEY-----', 'ssh-keygen -i -m PKCS8'],
  ['SSH2 without an end', `---- BEGIN SSH2 PUBLIC KEY ----\n${ed}`, 'END SSH2 PUBLIC KEY'],
  ['a fingerprint', edFingerprint, 'not a public key'],
  ['a sentence', 'my key', 'not a public key'],
  ['too many characters', `ssh-ed25519 ${'A'.repeat(20_000)}`, 'at most 16384 characters'],
])('%s is refused as a public key with its reason', (_, text, problem) => {
  expect(readPublicKey(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) })
})
