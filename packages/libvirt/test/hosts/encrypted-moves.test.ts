/** Moves that QEMU encrypts: hosts refuse all others, and those of hosts without a certificate. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MachineSpec, Machines } from '@steading/control-plane/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Made, makeCertificate } from '../../../api/test/support/certificates.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import { type AddedHosts, openAddedHosts } from '../support/added-hosts.ts'
import { hostsMissing, type NamespaceHost } from '../support/hosts-in-namespaces.ts'

const missing = hostsMissing()
if (missing !== undefined) console.warn(`Encrypted moves are left out: ${missing}.`)

/** Gives a host a certificate of an authority, for both directions of moves. */
async function certify({ certificates, ip, name }: NamespaceHost, authority: Made): Promise<void> {
  const { own, key } = await makeCertificate({
    names: [name],
    addresses: [ip],
    usages: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
    issuer: authority,
  })
  const write = (file: string, text: string) => writeFileSync(join(certificates, file), text)
  write('ca-cert.pem', authority.own)
  for (const end of ['server', 'client']) {
    write(`${end}-cert.pem`, own)
    write(`${end}-key.pem`, key)
  }
}

describe.skipIf(missing !== undefined)('encrypted moves', () => {
  let all: AddedHosts
  let machines: Machines
  let authority: Made
  const sleds: MachineSpec['sled'][] = []

  beforeAll(async () => {
    all = await openAddedHosts(2, { encryptMoves: true }, { encryption: true })
    machines = all.engines.machines
    authority = await makeCertificate({ commonName: 'moves', ca: true })
  })
  afterAll(() => all?.end())

  const add = async (host: NamespaceHost) => {
    const { findings, sled } = await all.add(host)
    return { sled, finding: findings.find(({ check }) => check === 'moves') }
  }

  test('a host without a certificate is refused until it has one @long', async () => {
    for (const one of all.hosts) {
      const before = await add(one)
      expect(before.sled).toBeUndefined()
      expect(before.finding).toMatchObject({
        outcome: 'failed',
        detail: expect.stringMatching(/^It cannot encrypt moves: Unable to access credentials/),
        remedy: expect.stringContaining('/etc/pki/qemu'),
      })
      await certify(one, authority)
      const { sled, finding } = await add(one)
      expect(finding).toMatchObject({
        outcome: 'passed',
        detail: 'Moves to and from it are encrypted',
      })
      sleds.push(sled!)
    }
  })

  test('a guest moves to a host that takes encrypted moves only @long', async () => {
    const id = await all.run(sleds[0]!)
    await machines.migrate!(id, sleds[1]!, 1, crypto.randomUUID())
    await until(
      async () => all.statesOf(id),
      (found) => expect(found).toEqual(['none', 'running']),
    )
    expect((await machines.observe(id)).moveFailure).toBeUndefined()
    await machines.destroy(id, 1)
  })

  test.each([
    [
      'has no certificate any more',
      (to: NamespaceHost) => rmSync(join(to.certificates, 'ca-cert.pem')),
    ],
    [
      'has one of a stranger',
      async (to: NamespaceHost) =>
        certify(to, await makeCertificate({ commonName: 'strangers', ca: true })),
    ],
  ])('a guest stays if the other host %s @long', async (_, spoil) => {
    const id = await all.run(sleds[0]!)
    const moveId = crypto.randomUUID()
    await spoil(all.hosts[1]!)
    await machines.migrate!(id, sleds[1]!, 1, moveId)
    await until(
      () => machines.observe(id),
      ({ moveFailure }) =>
        expect(moveFailure).toEqual({
          moveId,
          reason: expect.stringMatching(/^Its hosts do not accept each other’s certificates: ./),
        }),
    )
    expect(all.statesOf(id)).toEqual(['running', 'none'])
    await machines.destroy(id, 1)
  })
})
