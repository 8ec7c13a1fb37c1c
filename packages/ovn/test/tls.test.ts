/** A northbound database elsewhere: who is there, and who may come, is proven by certificates. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../../api/test/support/certificates.ts'
import { freePort } from '../../control-plane/test/support/programs.ts'
import { openNorthbound, type TlsRemote } from '../src/index.ts'
import { databaseMissing, startDatabase, type TlsFiles } from './support/database.ts'

/** Files of a holder whose certificate an authority has signed, which trusts only that authority. */
async function makeFiles(authorityName: string, holder: string): Promise<TlsFiles> {
  const directory = mkdtempSync(join(tmpdir(), 'steading-tls-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const authority = await makeCertificate({ commonName: authorityName, ca: true })
  const own = await makeCertificate({ commonName: holder, usages: [], issuer: authority })
  const write = (name: string, text: string) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    return path
  }
  return {
    privateKey: write('key.pem', own.key),
    certificate: write('cert.pem', own.own),
    authority: write('ca.pem', authority.own),
  }
}

const open = (remote: TlsRemote) => openNorthbound({ remote, owner: 'one', log: () => {} })

test.skipIf(databaseMissing() !== undefined)(
  'a database is reached by TLS, by whichever member of its cluster answers',
  async () => {
    const port = await freePort()
    await startDatabase({ ...(await makeFiles('clouds', 'database')), port })
    const files = await makeFiles('clouds', 'server')
    const here = { host: '127.0.0.1', port }
    const northbound = await open({ hosts: [here], ...files })
    expect(northbound.list()).toEqual([])
    northbound.close()

    const dead = { host: '127.0.0.1', port: await freePort() }
    const other = await open({ hosts: [dead, here], ...files })
    expect(other.list()).toEqual([])
    other.close()
    await expect(open({ hosts: [dead], ...files })).rejects.toThrow(
      `ssl:127.0.0.1:${dead.port}: connect ECONNREFUSED`,
    )
  },
)

test.skipIf(databaseMissing() !== undefined)(
  'a stranger is neither asked nor answered',
  async () => {
    const port = await freePort()
    await startDatabase({ ...(await makeFiles('clouds', 'database')), port })
    const hosts = [{ host: '127.0.0.1', port }]
    const ours = await makeFiles('clouds', 'server')
    const strange = await makeFiles('strangers', 'server')
    // A server that is not of our authority.
    await expect(open({ hosts, ...ours, authority: strange.authority })).rejects.toThrow(
      /certificate|signature/,
    )
    // A client that is not of theirs.
    await expect(open({ hosts, ...strange, authority: ours.authority })).rejects.toThrow(
      'ssl:127.0.0.1',
    )
    await expect(open({ hosts, ...ours, certificate: '/nowhere.pem' })).rejects.toThrow('ENOENT')
  },
)
