/** Addresses of hosts: libvirt runs commands for some of its transports and parameters. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOST_ADDRESS_MAX, hostAddressProblem, hostName } from '../src/rules.ts'

test.each([
  ['qemu+ssh://root@host/system', 'host'],
  ['qemu+ssh://host/system', 'host'],
  ['qemu+ssh://a.b-c_1@10.1.2.3:2222/system', '10.1.2.3'],
  ['qemu+ssh://root@[fd00::1]:22/system', 'fd00::1'],
  ['qemu+ssh://root@host/system?keyfile=/etc/key&socket=/run/libvirt/other', 'host'],
  ['qemu+tls://host.example.com/system', 'host.example.com'],
  ['qemu+tls://host/system?pkipath=/etc/pki/libvirt', 'host'],
  ['qemu:///system', 'localhost'],
  ['qemu+unix:///system?socket=/run/libvirt/libvirt-sock', 'localhost'],
  ['qemu+ssh://host/system?', 'host'],
])('%s is an address of host %s', (address, name) => {
  expect(hostAddressProblem(address)).toBeUndefined()
  expect(hostName(address)).toBe(name)
})

test.each([
  // Other drivers, other daemons, and what is no address.
  '',
  ' qemu:///system',
  'host',
  'root@host',
  'ssh://host/system',
  'qemu:///session',
  'qemu+ssh://host/session',
  'qemu+ssh://host',
  'qemu+ssh://host/',
  'qemu+ssh://host/system/',
  'qemu+ssh://host/system/../session',
  'qemu+ssh://host/%73ystem',
  'test:///default',
  'esx://host/system',
  'xen+ssh://host/system',
  'QEMU+SSH://host/system',
  'qemu+ssh:host/system',
  'qemu+ssh://host/system#fragment',
  // Transports that run a program, trust anybody, or are not encrypted.
  'qemu+ext://host/system',
  'qemu+ext:///system?command=/bin/sh',
  'qemu+tcp://host/system',
  'qemu+libssh://host/system',
  'qemu+libssh2://host/system',
  'qemu+native://host/system',
  'qemu+ssh+ext://host/system',
  'qemu+://host/system',
  // Parameters that name a program, or switch off a check.
  'qemu+ssh://host/system?command=/bin/sh',
  'qemu+ssh://host/system?netcat=/bin/sh',
  'qemu+ssh://host/system?proxy=netcat',
  'qemu+ssh://host/system?mode=legacy',
  'qemu+ssh://host/system?no_verify=1',
  'qemu+ssh://host/system?no_sanity=1',
  'qemu+ssh://host/system?no_tty=1',
  'qemu+ssh://host/system?sshauth=password',
  'qemu+ssh://host/system?known_hosts_verify=ignore',
  // Only other transports of SSH read it, so it would promise what does not happen.
  'qemu+ssh://host/system?known_hosts=/etc/known_hosts',
  'qemu+ssh://host/system?name=qemu:///session',
  'qemu+tls://host/system?tls_priority=NONE',
  'qemu+ssh://host/system?%63ommand=/bin/sh',
  'qemu+ssh://host/system?Command=/bin/sh',
  'qemu+ssh://host/system?keyfile=/k&command=/bin/sh',
  // Libvirt separates parameters by semicolons as well.
  'qemu+ssh://host/system?keyfile=/k;command=/bin/sh',
  'qemu+ssh://host/system?keyfile=/k%3Bcommand=/bin/sh',
  'qemu+ssh://host/system?keyfile=/k%26command=/bin/sh',
  'qemu+ssh://host/system??keyfile=/k',
  'qemu+ssh://host/system?keyfile=/k&',
  'qemu+ssh://host/system?keyfile',
  'qemu+ssh://host/system?keyfile=',
  'qemu+ssh://host/system?keyfile=k',
  'qemu+ssh://host/system?keyfile=~/k',
  'qemu+ssh://host/system?keyfile=-oProxyCommand=sh',
  'qemu+ssh://host/system?keyfile=/k%20-oProxyCommand=sh',
  'qemu+ssh://host/system?keyfile=/k`id`',
  'qemu+ssh://host/system?keyfile=/k$(id)',
  "qemu+ssh://host/system?socket=/s'",
  'qemu+ssh://host/system?socket=/s%0Aid',
  'qemu+ssh://host/system?socket=/s%00',
  'qemu+ssh://host/system?socket=/s%',
  // Users and hosts that ssh or a shell would take for something else.
  'qemu+ssh://-oProxyCommand=sh@host/system',
  'qemu+ssh://-l@host/system',
  'qemu+ssh://@host/system',
  'qemu+ssh://root:secret@host/system',
  'qemu+ssh://root%00@host/system',
  'qemu+ssh://root%20-v@host/system',
  'qemu+ssh://root@other@host/system',
  'qemu+ssh://ro\not@host/system',
  'qemu+ssh://$(id)@host/system',
  'qemu+tls://root@host/system',
  'qemu+ssh:///system',
  'qemu+ssh://-oProxyCommand=sh/system',
  'qemu+ssh://root@-v/system',
  'qemu+ssh://host name/system',
  'qemu+ssh://ho%73t/system',
  'qemu+ssh://h%0ast/system',
  'qemu+ssh://host\n/system',
  'qemu+ssh://host/system\n',
  'qemu+ssh://host\u0000/system',
  'qemu+ssh://h\u043est/system',
  'qemu+ssh://host\\evil/system',
  'qemu+ssh://host;id/system',
  'qemu+ssh://[fd00::1/system',
  'qemu+ssh://[fd00::1%eth0]/system',
  'qemu+ssh://host:/system',
  'qemu+ssh://host:0/system',
  'qemu+ssh://host:65536/system',
  'qemu+ssh://host:22x/system',
  'qemu+ssh://host:-1/system',
  // The server itself has no name.
  'qemu://host/system',
  'qemu+unix://host/system',
  'qemu+unix://root@/system',
  'qemu://:22/system',
  `qemu+ssh://${'h'.repeat(HOST_ADDRESS_MAX)}/system`,
])('%j is no address of a host', (address) => {
  expect(hostAddressProblem(address)).toEqual(expect.any(String))
})

test('whatever the text, an address has a known transport, and no options for programs', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'qemu',
      '+ssh',
      '+tls',
      '+ext',
      '://',
      'root@',
      'host',
      '/system',
      '?',
      '&',
      ';',
    ),
    fc.constantFrom(
      'keyfile=/k',
      'command=/bin/sh',
      'netcat=x',
      'socket=',
      '%0a',
      '%3b',
      '-o',
      '\n',
    ),
    fc.constantFrom(':22', '[', ']', '#', '@', ' ', '\u0000', '"', "'", '$', '`', '\\', '%'),
    fc.string({ maxLength: 3 }),
  )
  let accepted = 0
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc
      .tuple(
        fc.constantFrom('qemu+ssh://', 'qemu+tls://', 'qemu://'),
        fc.array(piece, { maxLength: 2 }),
        fc.array(piece, { maxLength: 3 }),
      )
      .map(([start, host, query]) => `${start}${host.join('')}/system?${query.join('')}`),
  )
  fc.assert(
    fc.property(texts, (address) => {
      if (hostAddressProblem(address) !== undefined) return
      accepted++
      expect(address).toMatch(/^qemu(\+(ssh|tls|unix))?:\/\/[\w.@:[\]-]*\/system(\?[\w./@=&+-]*)?$/)
      expect(address).not.toMatch(/[/@]-/)
      const names = (address.split('?')[1] ?? '').split(/[&;]/).filter(Boolean)
      for (const name of names) expect(name).toMatch(/^(socket|keyfile|pkipath)=/)
      expect(hostName(address)).not.toBe('')
    }),
    { numRuns: 5_000 },
  )
  expect(accepted).toBeGreaterThan(50)
})
